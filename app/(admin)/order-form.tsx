"use client";

import type { FormEvent, ReactNode } from "react";
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
  onSubmit: (form: FormData) => void;
}

/** Renders the form of an order: what it does, its fields, and the reason for the audit log. */
export function OrderForm({ children, verb, kind = "primary", busy, error, isReasonRequired = true, onSubmit }: Props) {
  const errors = errorsOf(error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Form onSubmit={submit} error={error}>
      {children}
      <TextField
        name="reason"
        label={isReasonRequired ? "Reason" : "Reason (optional)"}
        required={isReasonRequired}
        minLength={3}
        maxLength={1_000}
        data-missing="Say why, for the audit log."
        hint="Stands in the audit log, such as the number of a ticket."
        error={errors?.field("reason", "The reason")}
      />
      <FormError>{errors && !errors.field("reason") && !errors.field("amount") && errors.message}</FormError>
      <Button kind={kind} type="submit" busy={busy}>
        {verb}
      </Button>
    </Form>
  );
}

/** Returns a text field of a form. */
export const readText = (form: FormData, name: string) => form.get(name) as string;
