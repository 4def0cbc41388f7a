"use client";

import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { useReturnFocus } from "./use-return-focus";

interface Props {
  onClose: () => void;
  /** Places and sizes the panel. */
  className: string;
  /** Must contain a `Dialog.Title`. */
  children: ReactNode;
}

/** Renders an open panel above the page. It returns the focus when it closes. */
export const Modal = ({ onClose, className, children }: Props) => (
  <Dialog.Root open onOpenChange={onClose}>
    <Dialog.Portal>
      <Dialog.Overlay className="fixed inset-0 z-40 bg-[#000000]/50" />
      <Dialog.Content
        aria-describedby={undefined}
        onCloseAutoFocus={useReturnFocus()}
        className={`fixed z-50 flex flex-col border-line bg-raised ${className}`}
      >
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
);
