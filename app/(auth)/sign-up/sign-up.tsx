"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { signInWithPassword } from "../../session/post-auth";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, useSubmit } from "../../ui/form";
import { Link } from "../../ui/link";
import { PasswordField } from "../../ui/password-field";
import { EmailField } from "../email-field";

export function SignUp({ next }: { next: string }) {
  const signUp = useMutation(useTRPC().access.signUp.mutationOptions());
  const [formError, setFormError] = useState<string | null>(null);
  const errors = errorsOf(signUp.error);
  const { busy, onSubmit } = useSubmit(async (form) => {
    const email = readText(form, "email");
    const password = readText(form, "password");
    const made = await signUp.mutateAsync({ email, password }).then(() => true, () => false); // prettier-ignore
    if (made) setFormError(await signInWithPassword(email, password, next));
  });
  const email = errors?.field("email", "This e-mail address");
  return (
    <Form onSubmit={onSubmit} error={signUp.error}>
      <EmailField error={email?.endsWith("already has an account.") ? <TakenError next={next} /> : email} />
      <PasswordField
        name="password"
        label="Password"
        autoComplete="new-password"
        required
        data-missing="Enter a password."
        minLength={8}
        maxLength={256}
        hint="At least 8 characters."
        error={errors?.field("password", "The password")}
      />
      <FormError>{formError ?? errors?.messageUnlessAt("email", "password")}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Create account
      </Button>
    </Form>
  );
}

const TakenError = ({ next }: { next: string }) => (
  <>
    An account with this e-mail exists.{" "}
    <Link href={`/sign-in?next=${encodeURIComponent(next)}`} className="font-medium underline">
      Sign in?
    </Link>
  </>
);
