"use client";

import type { ReactNode } from "react";
import { Dialog } from "./dialog";
import { useDialogLock } from "./dialog-lock";
import { type SecretKind, SecretReveal } from "./secret-reveal";

interface Props<Created> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The mutation that creates the secret. */
  create: { data: Created | undefined; isPending: boolean; reset: () => void };
  /** The title and description until the secret is created. */
  title: string;
  description?: string;
  kind: SecretKind;
  /** Returns what the dialog shows of the result. */
  reveal: (created: Created) => RevealedSecret;
  /** The form that creates the secret. */
  children: ReactNode;
}

interface RevealedSecret {
  secret: string;
  title: string;
  description?: string;
  /** Shown above the secret. */
  details?: ReactNode;
}

/**
 * Renders a dialog with a form that creates a secret, which is then shown once. The dialog stays open while the secret is
 * created, and forgets it when it closes.
 */
export function SecretDialog<Created>({
  create,
  title,
  description,
  kind,
  reveal,
  children,
  ...state
}: Props<Created>) {
  const revealed = create.data === undefined ? null : reveal(create.data);
  const change = (open: boolean) => {
    state.onOpenChange(open);
    // The secret must not outlive its dialog.
    if (!open) create.reset();
  };
  return (
    <Dialog
      open={state.open}
      onOpenChange={change}
      title={revealed?.title ?? title}
      description={revealed ? revealed.description : description}
    >
      {revealed ? (
        <div className="grid gap-4">
          {revealed.details}
          <SecretReveal what={kind} secret={revealed.secret} onDone={() => change(false)} />
        </div>
      ) : (
        <LockedWhile isCreating={create.isPending}>{children}</LockedWhile>
      )}
    </Dialog>
  );
}

/** Keeps the dialog open while the secret is being created, which would otherwise be lost. */
function LockedWhile({ isCreating, children }: { isCreating: boolean; children: ReactNode }) {
  useDialogLock(isCreating);
  return children;
}
