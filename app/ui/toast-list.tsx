"use client";

import { X } from "lucide-react";
import { Toast } from "radix-ui";
import { Button } from "./button";
import type { ShownToast } from "./message";

const TOAST_DURATION_MS = 6_000;

interface Props {
  shown: ShownToast[];
  onClose: (id: number) => void;
}

export const ToastList = ({ shown, onClose }: Props) => (
  <Toast.Provider duration={TOAST_DURATION_MS} label="Message">
    {shown.map(({ id, text, tone, undo }) => (
      <Toast.Root
        key={id}
        onOpenChange={(open) => !open && onClose(id)}
        type={tone === "danger" ? "foreground" : "background"}
        className="flex items-center gap-3 rounded-xl border border-line bg-raised py-2 pr-2 pl-4 shadow-raised"
      >
        <Toast.Description className={`flex-1 text-sm ${tone === "danger" ? "text-danger" : ""}`}>
          {text}
        </Toast.Description>
        {undo && (
          <Toast.Action asChild altText="Undo">
            <Button onClick={undo}>Undo</Button>
          </Toast.Action>
        )}
        <Toast.Close asChild>
          <Button kind="ghost" className="px-2" aria-label="Dismiss">
            <X size={16} aria-hidden />
          </Button>
        </Toast.Close>
      </Toast.Root>
    ))}
    <Toast.Viewport className="fixed right-4 bottom-20 z-50 grid w-[min(24rem,calc(100vw-2rem))] gap-2 lg:bottom-4" />
  </Toast.Provider>
);
