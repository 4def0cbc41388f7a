"use client";

import { type ComponentProps, type ReactNode, useState } from "react";
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

interface Props extends Pick<ComponentProps<typeof Button>, "children" | "className" | "disabled" | "kind" | "needs"> {
  /** The button's name, where its text alone would be ambiguous. */
  label?: string;
  busy: boolean;
  title: string;
  /** The label of the confirm button. */
  verb: string;
  /** What will happen, and whether it can be undone. */
  question: ReactNode;
  onConfirm: () => void;
}

/** Renders a button whose action runs after a confirmation. */
export function ConfirmedButton({ label, title, verb, question, onConfirm, ...button }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button {...button} aria-label={label} onClick={() => setAsking(true)} />
      <Confirm open={isAsking} onOpenChange={setAsking} title={title} verb={verb} onConfirm={onConfirm}>
        {question}
      </Confirm>
    </>
  );
}
