"use client";

import type { ConfirmProps, DialogProps } from "./dialog-props";
import { loadOverlay } from "./load-overlays";

const DialogPanel = loadOverlay((overlays) => overlays.DialogPanel);

/**
 * Renders a modal dialog, whose state begins anew each time it opens. Escape closes it and returns the focus, as does a
 * click outside unless something was entered; `useDialogLock` prevents both.
 */
export const Dialog = ({ open, ...panelProps }: DialogProps) => open && <DialogPanel {...panelProps} />;

const ConfirmPanel = loadOverlay((overlays) => overlays.ConfirmPanel);

/** Asks for confirmation before a destructive action. Cancel has the initial focus. */
export const Confirm = ({ open, ...questionProps }: ConfirmProps) => open && <ConfirmPanel {...questionProps} />;
