"use client";

import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button";
import { type Area, Navigation } from "./navigation";

interface Props {
  area: Area;
  footer: ReactNode;
  onClose: () => void;
}

/** Renders the open side sheet of narrow screens. */
export function MenuPanel({ area, footer, onClose }: Props) {
  const [before] = useState(() => document.activeElement);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[#000000]/50" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before instanceof HTMLElement) before.focus();
          }}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col gap-4 overflow-y-auto border-r border-line bg-raised p-4"
        >
          <div className="flex items-center justify-between">
            <Dialog.Title className="px-3 font-semibold">Generation Hub</Dialog.Title>
            <Dialog.Close asChild>
              <Button kind="ghost" className="px-2" aria-label="Close">
                <X size={18} aria-hidden />
              </Button>
            </Dialog.Close>
          </div>
          <Navigation area={area} onLeave={onClose} />
          <div className="mt-auto">{footer}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
