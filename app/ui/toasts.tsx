"use client";

import { X } from "lucide-react";
import { Toast } from "radix-ui";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Button } from "./button";

interface Message {
  text: string;
  tone?: "neutral" | "danger";
  /** Undoes the reported action. */
  undo?: () => void;
}
type ShownToast = Message & { id: number; open: boolean };

const ToastContext = createContext<(message: Message) => void>(() => undefined);

/** Returns the function that shows a toast: `toast({ text, undo })`. */
export const useToast = () => useContext(ToastContext);

const TOAST_DURATION_MS = 6_000;
const MAX_TOASTS = 4;

export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast[]>([]);
  const toast = useCallback((message: Message) => {
    setShown((all) => {
      const id = (all.at(-1)?.id ?? 0) + 1;
      // The same text is shown once, unless each toast undoes something else.
      const others = all.filter(({ text, undo }) => undo || text !== message.text);
      return [...others.slice(1 - MAX_TOASTS), { ...message, id, open: true }];
    });
  }, []);
  const close = (id: number) => setShown((all) => all.filter((one) => one.id !== id));
  return (
    <ToastContext.Provider value={toast}>
      <Toast.Provider duration={TOAST_DURATION_MS} label="Message">
        {children}
        {shown.map(({ id, text, tone, undo }) => (
          <Toast.Root
            key={id}
            onOpenChange={(open) => !open && close(id)}
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
    </ToastContext.Provider>
  );
}
