"use client";

import type { ReactNode } from "react";
import { loadOverlay } from "./load-overlays";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  children: ReactNode;
}

const DialogPanel = loadOverlay((overlays) => overlays.DialogPanel);

/**
 * Renders a modal dialog, whose state begins anew each time it opens. Escape closes it and returns the focus, as does a
 * click outside unless something was entered; `useDialogLock` prevents both.
 */
export const Dialog = ({ open, ...panelProps }: DialogProps) => open && <DialogPanel {...panelProps} />;

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

const ConfirmPanel = loadOverlay((overlays) => overlays.ConfirmPanel);

/** Asks for confirmation before a destructive action. Cancel has the initial focus. */
export const Confirm = ({ open, ...questionProps }: ConfirmProps) => open && <ConfirmPanel {...questionProps} />;
