"use client";

import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Button } from "../../../ui/button";
import { errorsOf } from "../../../ui/errors-of";
import { FormError } from "../../../ui/field";
import { Form } from "../../../ui/form";
import { unplacedError } from "../create-key";
import { KeyFields, readKeyFields } from "../key-fields";
import type { Key } from "../types";

/** Edits a key's name, expiry, limit and models. */
export function EditKey({ apiKey }: { apiKey: Key }) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.keys.pathFilter()]);
  const update = useMutation(
    trpc.keys.update.mutationOptions({
      onSettled: handlers.onSettled,
      onSuccess: () => toast({ text: "Key updated." }),
    }),
  );
  const errors = errorsOf(update.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    update.mutate({ id: apiKey.id, ...readKeyFields(new FormData(event.currentTarget)) });
  };
  return (
    <Form onSubmit={submit} error={update.error}>
      <KeyFields errors={errors} apiKey={apiKey} />
      <p className="text-xs leading-5 text-soft">
        Changes apply to the next request. A limit below what is spent only stops new work.
      </p>
      <FormError>{unplacedError(errors)}</FormError>
      <Button needs="develop" kind="primary" type="submit" busy={update.isPending} className="sm:justify-self-start">
        Save changes
      </Button>
    </Form>
  );
}
