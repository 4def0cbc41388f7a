"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, Form, FormError } from "../../ui/form";
import { SecretReveal } from "../../ui/secret-reveal";
import { KeyFields, readKeyFields } from "./key-fields";
import { TestKey } from "./test-key";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateKey({ open, onOpenChange }: Props) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const create = useMutation(
    trpc.keys.create.mutationOptions({ onSuccess: () => client.invalidateQueries(trpc.keys.list.queryFilter()) }),
  );
  const change = (next: boolean) => {
    onOpenChange(next);
    // The secret must not outlive its dialog.
    if (!next) create.reset();
  };
  const made = create.data;
  return (
    <Dialog open={open} onOpenChange={change} title={made ? `“${made.name}” is ready` : "Create an API key"}>
      {made ? (
        <div className="grid gap-4">
          <TestKey secret={made.key} />
          <SecretReveal what="key" secret={made.key} onDone={() => change(false)} />
        </div>
      ) : (
        <KeyForm busy={create.isPending} error={create.error} onSubmit={(form) => create.mutate(readKeyForm(form))} />
      )}
    </Dialog>
  );
}

interface FormProps {
  busy: boolean;
  error: unknown;
  onSubmit: (form: FormData) => void;
}

function KeyForm({ busy, error, onSubmit }: FormProps) {
  const errors = errorsOf(error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Form onSubmit={submit} error={error}>
      <KeyFields errors={errors} />
      <CheckField
        name="idempotent"
        label="Require an Idempotency-Key"
        hint="Requests without an Idempotency-Key are rejected, so a retry is never charged twice."
      />
      <FormError>{unplacedError(errors)}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Create key
      </Button>
    </Form>
  );
}

const fields = ["name", "expires_at", "spend_limit", "spend_limit_reset", "allowed_models"];

/** Returns the message of an error that stands at no field of `KeyFields`. */
export const unplacedError = (errors: ReturnType<typeof errorsOf>) =>
  errors && !fields.some((name) => errors.field(name)) && errors.message;

/** Returns the form's values as input of `keys.create`. */
const readKeyForm = (form: FormData) => ({ ...readKeyFields(form), require_idempotency: form.has("idempotent") });
