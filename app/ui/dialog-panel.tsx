"use client";

import { X } from "lucide-react";
import { AlertDialog, Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "./button";
import { DialogLock } from "./dialog-lock";
import { useReturnFocus } from "./use-return-focus";

/** Renders an open dialog; `Dialog` loads this when it opens. */
export const DialogPanel = ({ onOpenChange, ...panelProps }: Omit<DialogProps, "open">) => (
  <Radix.Root open onOpenChange={onOpenChange}>
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 bg-[#000000]/50" />
      <Panel {...panelProps} />
    </Radix.Portal>
  </Radix.Root>
);

function Panel({ title, description, children }: Omit<DialogProps, "open" | "onOpenChange">) {
  const onCloseAutoFocus = useReturnFocus();
  const [isLocked, setLocked] = useState(false);
  const wasEdited = useRef(false);
  return (
    <Radix.Content
      onOpenAutoFocus={focusFirstField}
      onCloseAutoFocus={onCloseAutoFocus}
      onInput={() => (wasEdited.current = true)}
      onEscapeKeyDown={(event) => isLocked && event.preventDefault()}
      onInteractOutside={(event) => (isLocked || wasEdited.current) && event.preventDefault()}
      className="fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-2xl border border-line bg-raised p-6 shadow-raised sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-full sm:max-w-md sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl"
      {...(!description && { "aria-describedby": undefined })}
    >
      <div className="mb-4 flex min-h-9 items-start justify-between gap-4">
        <div className="min-w-0">
          <Radix.Title className="text-base font-semibold break-words">{title}</Radix.Title>
          {description && (
            <Radix.Description className="mt-1 text-sm leading-6 text-soft">{description}</Radix.Description>
          )}
        </div>
        {!isLocked && (
          <Radix.Close asChild>
            <Button kind="ghost" className="-mt-1.5 -mr-2 px-2" aria-label="Close">
              <X size={18} aria-hidden />
            </Button>
          </Radix.Close>
        )}
      </div>
      <DialogLock.Provider value={setLocked}>{children}</DialogLock.Provider>
    </Radix.Content>
  );
}

/** Focuses the first field; without one, Radix focuses the first button. */
function focusFirstField(event: Event): void {
  const field = (event.currentTarget as HTMLElement).querySelector<HTMLElement>("input, textarea, select");
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** Renders an open confirmation; `Confirm` loads this when it opens. */
export const ConfirmPanel = ({ onOpenChange, ...questionProps }: Omit<ConfirmProps, "open">) => (
  <AlertDialog.Root open onOpenChange={onOpenChange}>
    <AlertDialog.Portal>
      <AlertDialog.Overlay className="fixed inset-0 z-40 bg-[#000000]/50" />
      <Question {...questionProps} />
    </AlertDialog.Portal>
  </AlertDialog.Root>
);

const Question = ({ title, children, verb, onConfirm }: Omit<ConfirmProps, "open" | "onOpenChange">) => (
  <AlertDialog.Content
    onCloseAutoFocus={useReturnFocus()}
    className="fixed inset-x-4 top-1/2 z-50 mx-auto max-w-md -translate-y-1/2 rounded-2xl border border-line bg-raised p-6 shadow-raised"
  >
    <AlertDialog.Title className="text-base font-semibold break-words">{title}</AlertDialog.Title>
    <AlertDialog.Description className="mt-2 text-sm leading-6 text-soft">{children}</AlertDialog.Description>
    <div className="mt-5 flex justify-end gap-2">
      <AlertDialog.Cancel asChild>
        <Button>Cancel</Button>
      </AlertDialog.Cancel>
      <AlertDialog.Action asChild>
        <Button kind="danger" onClick={onConfirm}>
          {verb}
        </Button>
      </AlertDialog.Action>
    </div>
  </AlertDialog.Content>
);

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  children: ReactNode;
}

export interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** The label of the confirm button. */
  verb: string;
  onConfirm: () => void;
}
