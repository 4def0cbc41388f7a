"use client";

import type { ReactNode } from "react";
import { Button } from "../ui/button";
import { errorsOf } from "../ui/errors-of";
import { Form, FormError, TextField } from "../ui/form";

interface Props {
  children?: ReactNode;
  verb: string;
  kind?: "primary" | "danger";
  busy: boolean;
  error: unknown;
  isReasonRequired?: boolean;
  onSubmit: (fields: FormData) => void;
}

/** Renders the form of an operator's action: its fields, and the reason for the audit log. */
export function OperatorForm({
  children,
  verb,
  kind = "primary",
  busy,
  error,
  isReasonRequired = true,
  onSubmit,
}: Props) {
  const errors = errorsOf(error);
  return (
    <Form onSubmit={onSubmit} error={error}>
      {children}
      <TextField
        name="reason"
        label={isReasonRequired ? "Reason" : "Reason (optional)"}
        required={isReasonRequired}
        minLength={3}
        maxLength={1_000}
        data-missing="Enter a reason."
        hint="Recorded in the audit log, e.g. a ticket number."
        error={errors?.field("reason", "The reason")}
      />
      <FormError>{errors?.messageUnlessAt("reason", "amount")}</FormError>
      <Button kind={kind} type="submit" busy={busy}>
        {verb}
      </Button>
    </Form>
  );
}
