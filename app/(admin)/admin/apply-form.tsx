"use client";

import { readText } from "../../ui/form";
import { OperatorForm } from "../operator-form";

interface Props {
  busy: boolean;
  error: unknown;
  onApply: (reason: string) => void;
}

/** Asks for the reason of a new revision. */
export const ApplyForm = ({ busy, error, onApply }: Props) => (
  <div className="max-w-md border-t border-line pt-5">
    <OperatorForm
      verb="Apply to all hubs"
      busy={busy}
      error={error}
      onSubmit={(form) => onApply(readText(form, "reason"))}
    />
  </div>
);
