"use client";

import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, Form, FormError } from "../../ui/form";
import { SecretReveal } from "../../ui/secret-reveal";
import { keyFieldNames, KeyFields, readKeyFields } from "./key-fields";
import { TestKey } from "./test-key";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateKey({ open, onOpenChange }: Props) {
  const create = useHubMutation((trpc) => trpc.keys.create, {
    invalidates: (trpc) => [trpc.keys.list.queryFilter()],
    showsError: true,
  });
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
  return (
    <Form onSubmit={onSubmit} error={error}>
      <KeyFields errors={errors} />
      <CheckField
        name="idempotent"
        label="Require an Idempotency-Key"
        hint="Requests without an Idempotency-Key are rejected, so a retry is never charged twice."
      />
      <FormError>{errors?.messageUnlessAt(...keyFieldNames)}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Create key
      </Button>
    </Form>
  );
}

/** Returns the form's values as input of `keys.create`. */
const readKeyForm = (form: FormData) => ({ ...readKeyFields(form), require_idempotency: form.has("idempotent") });
