"use client";

import { Button } from "../../../ui/button";
import { errorsOf } from "../../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../../ui/form";

interface Props {
  name?: string;
  verb: string;
  busy: boolean;
  error: unknown;
  onSubmit: (name: string) => void;
}

/** Asks for the name of a collection. */
export function NameForm({ name, verb, busy, error, onSubmit }: Props) {
  const errors = errorsOf(error);
  return (
    <Form onSubmit={(fields) => onSubmit(readText(fields, "name"))} error={error}>
      <TextField
        name="name"
        label="Name of the collection"
        defaultValue={name}
        required
        maxLength={60}
        placeholder="My product shots"
        data-missing="Enter a name."
        error={errors?.field("name", "The name")}
      />
      <FormError>{errors?.messageUnlessAt("name")}</FormError>
      <Button type="submit" kind="primary" busy={busy}>
        {verb}
      </Button>
    </Form>
  );
}
