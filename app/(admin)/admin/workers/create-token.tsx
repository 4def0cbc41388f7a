"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTRPC } from "../../../trpc/client";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { errorsOf } from "../../../ui/errors-of";
import { FormError, TextField } from "../../../ui/field";
import { Form } from "../../../ui/form";
import { SecretReveal } from "../../../ui/secret-reveal";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Creates a worker token, which is shown once. */
export function CreateToken({ open, onOpenChange }: Props) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries(trpc.admin.workers.pathFilter());
  const create = useMutation(trpc.admin.workers.createToken.mutationOptions({ onSuccess }));
  const change = (next: boolean) => {
    onOpenChange(next);
    // The secret must not outlive its dialog.
    if (!next) create.reset();
  };
  const made = create.data;
  const errors = errorsOf(create.error);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate({ name: new FormData(event.currentTarget).get("name") as string });
  };
  return (
    <Dialog open={open} onOpenChange={change} title={made ? `“${made.name}” is ready` : "Create a worker token"}>
      {made ? (
        <SecretReveal what="token" secret={made.token} onDone={() => change(false)} />
      ) : (
        <Form onSubmit={onSubmit} error={create.error}>
          <TextField
            name="name"
            label="Name"
            required
            maxLength={100}
            data-missing="Enter a name."
            hint="Such as the machine on which the worker runs."
            error={errors?.field("name", "The name")}
          />
          <FormError>{errors && !errors.field("name") && errors.message}</FormError>
          <Button kind="primary" type="submit" busy={create.isPending}>
            Create token
          </Button>
        </Form>
      )}
    </Dialog>
  );
}
