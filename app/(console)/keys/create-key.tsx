"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, FormError, SelectField, TextField } from "../../ui/field";
import { Form } from "../../ui/form";
import { SecretReveal } from "../../ui/secret-reveal";

const DAY_MS = 86_400_000;

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
        <SecretReveal what="key" secret={made.key} onDone={() => change(false)} />
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
  const [limit, setLimit] = useState("");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Form onSubmit={submit} error={error}>
      <NameField error={errors?.field("name", "The name")} />
      <SelectField name="expiry" label="Expires" defaultValue="" error={errors?.field("expires_at")}>
        <option value="">Never</option>
        <option value="7">In 7 days</option>
        <option value="30">In 30 days</option>
        <option value="90">In 90 days</option>
        <option value="365">In a year</option>
      </SelectField>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          name="limit"
          label="Spend limit (EUR)"
          type="number"
          inputMode="decimal"
          min="0.01"
          max="1000000"
          step="any"
          placeholder="No limit"
          value={limit}
          onChange={(event) => setLimit(event.target.value)}
          error={errors?.field("spend_limit")}
        />
        <SelectField
          name="reset"
          label="Resets"
          defaultValue="month"
          disabled={limit === ""}
          error={errors?.field("spend_limit_reset")}
        >
          <option value="month">Monthly (UTC)</option>
          <option value="day">Daily (UTC)</option>
          <option value="">Never</option>
        </SelectField>
      </div>
      <CheckField
        name="idempotent"
        label="Require an Idempotency-Key"
        hint="Requests without an Idempotency-Key are rejected, so a retry is never charged twice."
      />
      <FormError>
        {errors && !["name", "expires_at", "spend_limit"].some((name) => errors.field(name)) && errors.message}
      </FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Create key
      </Button>
    </Form>
  );
}

const NameField = ({ error }: { error: string | undefined }) => (
  <TextField
    name="name"
    label="Name"
    placeholder="server"
    required
    data-missing="Enter a name."
    maxLength={100}
    error={error}
  />
);

/** Returns the form's values as input of `keys.create`. */
function readKeyForm(form: FormData) {
  const text = (name: string) => (form.get(name) as string | null) ?? "";
  const days = Number(text("expiry"));
  const limit = text("limit") === "" ? null : Number(text("limit"));
  return {
    name: text("name"),
    expires_at: days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
    require_idempotency: form.has("idempotent"),
    spend_limit: limit,
    spend_limit_reset: limit === null ? null : ((text("reset") || null) as "day" | "month" | null),
  };
}
