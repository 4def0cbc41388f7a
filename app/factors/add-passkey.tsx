"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { errorsOf } from "../ui/errors-of";
import { Form, FormError, readText, TextField } from "../ui/form";
import { createBrowserPasskey, describePasskeyError } from "./browser-passkey";

/** Creates a passkey. `onAdded` receives the recovery codes of somebody who had none. */
export function AddPasskey({ onAdded }: { onAdded: (codes: string[] | null) => void }) {
  const trpc = useTRPC();
  const start = useMutation(trpc.factors.startPasskey.mutationOptions());
  const finish = useMutation(trpc.factors.addPasskey.mutationOptions());
  const add = useMutation({
    mutationFn: async (name: string) =>
      finish.mutateAsync({ name, response: await createBrowserPasskey(await start.mutateAsync()) }),
    onSuccess: ({ recovery_codes }) => onAdded(recovery_codes),
  });
  const errors = errorsOf(add.error);
  return (
    <Form error={add.error} onSubmit={(fields) => add.mutate(readText(fields, "name"))}>
      <TextField
        name="name"
        label="Name of the passkey"
        defaultValue="Passkey"
        required
        maxLength={60}
        data-missing="Enter a name."
        hint="For example the device that keeps it."
        error={errors?.field("name", "The name")}
      />
      <FormError>{describePasskeyError(add.error) ?? errors?.messageUnlessAt("name")}</FormError>
      <Button kind="primary" type="submit" busy={add.isPending}>
        Create passkey
      </Button>
    </Form>
  );
}
