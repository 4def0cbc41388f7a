"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { signInWithPassword } from "../../session/post-auth";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, useSubmit } from "../../ui/form";
import { PasswordField } from "../../ui/password-field";

interface Props {
  token: string;
  email: string;
  choosesPassword: boolean;
}

/** Accepts an invitation, with a new password for a person who has none yet. */
export function Accept({ token, email, choosesPassword }: Props) {
  const accept = useMutation(useTRPC().access.acceptInvitation.mutationOptions());
  const [formError, setFormError] = useState<string | null>(null);
  const { busy, onSubmit } = useSubmit(async (form) => {
    const password = choosesPassword ? readText(form, "password") : undefined;
    const isAccepted = await accept.mutateAsync({ token, password }).then(() => true, () => false); // prettier-ignore
    if (!isAccepted) return;
    if (password === undefined) window.location.assign("/overview");
    else setFormError(await signInWithPassword(email, password, "/overview"));
  });
  const errors = errorsOf(accept.error);
  return (
    <Form onSubmit={onSubmit} error={accept.error}>
      {choosesPassword && (
        <PasswordField
          name="password"
          label="Choose a password"
          autoComplete="new-password"
          required
          data-missing="Choose a password."
          minLength={8}
          maxLength={256}
          hint={`At least 8 characters. You’ll sign in as ${email}.`}
          error={errors?.field("password", "The password")}
        />
      )}
      <FormError>{formError ?? errors?.field("token", "This link") ?? errors?.messageUnlessAt("password")}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Accept invitation
      </Button>
    </Form>
  );
}
