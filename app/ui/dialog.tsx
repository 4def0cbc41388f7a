"use client";

import type { Permission } from "@/server/context";
import { type ReactNode, useState } from "react";
import { Button } from "./button";
import type { ConfirmProps, DialogProps } from "./dialog-panel";
import { loadOverlay } from "./load-overlays";

const DialogPanel = loadOverlay((overlays) => overlays.DialogPanel);

/**
 * Renders a modal dialog, whose state is reset each time it opens. Escape closes it and returns the focus, as does a
 * click outside unless something was entered; `useDialogLock` prevents both.
 */
export const Dialog = ({ open, ...panelProps }: DialogProps) => open && <DialogPanel {...panelProps} />;

const ConfirmPanel = loadOverlay((overlays) => overlays.ConfirmPanel);

/** Asks for confirmation before a destructive action. Cancel has the initial focus. */
export const Confirm = ({ open, ...questionProps }: ConfirmProps) => open && <ConfirmPanel {...questionProps} />;

interface Props {
  children: ReactNode;
  /** The button's name, where its text alone would be ambiguous. */
  label?: string;
  busy: boolean;
  /** The permission that it requires; people without it don't see the button. */
  needs?: Permission;
  title: string;
  /** The label of the confirm button. */
  verb: string;
  /** What will happen, and whether it can be undone. */
  question: string;
  onConfirm: () => void;
}

/** Renders a button whose action runs after a confirmation. */
export function ConfirmedButton({ children, label, busy, needs, title, verb, question, onConfirm }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button needs={needs} busy={busy} aria-label={label} onClick={() => setAsking(true)}>
        {children}
      </Button>
      <Confirm open={isAsking} onOpenChange={setAsking} title={title} verb={verb} onConfirm={onConfirm}>
        {question}
      </Confirm>
    </>
  );
}
