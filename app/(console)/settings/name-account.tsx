"use client";

import { useRouter } from "next/navigation";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../ui/form";

interface Props {
  /** Null if the account has none. */
  name: string | null;
  /** The contact address, which is shown instead. */
  email: string;
}

/** Sets the name by which people recognize the account. */
export function NameAccount({ name, email }: Props) {
  const router = useRouter();
  const change = useHubMutation((trpc) => trpc.account.setName, {
    invalidates: (trpc) => [trpc.account.pathFilter()],
    showsError: true,
    successToast: (_, input) => (input.name === null ? "Name removed." : `The account is now called ${input.name}.`),
    // The navigation lists accounts by name, and is rendered on the server.
    onSuccess: () => router.refresh(),
  });
  const errors = errorsOf(change.error);
  const onSubmit = (fields: FormData) => change.mutate({ name: readText(fields, "name").trim() || null });
  return (
    <Form onSubmit={onSubmit} error={change.error} className="grid max-w-sm gap-4">
      <TextField
        name="name"
        label="Account name"
        defaultValue={name ?? ""}
        placeholder={email}
        autoComplete="organization"
        maxLength={80}
        hint="Shown in invitations and wherever you choose an account. If empty, the contact address is shown."
        error={errors?.field("name", "The name")}
      />
      <FormError>{errors?.messageUnlessAt("name")}</FormError>
      <Button type="submit" kind="primary" busy={change.isPending} className="justify-self-start">
        Save name
      </Button>
    </Form>
  );
}
