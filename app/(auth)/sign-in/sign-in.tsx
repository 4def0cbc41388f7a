"use client";

import { useState } from "react";
import { postAuth, signInWithPassword } from "../../session/post-auth";
import { Button } from "../../ui/button";
import { Form, FormError, readText, useSubmit } from "../../ui/form";
import { Link } from "../../ui/link";
import { PasswordField } from "../../ui/password-field";
import { EmailField } from "../email-field";

const reasons: Record<string, string> = {
  unverified: "That service hasn’t verified your e-mail address, so it can’t sign you in here.",
  malformed: "That service sent an account that this hub can’t use. Contact this hub’s operator.",
  taken: "An account with this e-mail has a password. Sign in with it, or reset it by e-mail first.",
  closed: "Only this hub’s operator can create accounts.",
  suspended: "This account is suspended. Contact this hub’s operator.",
  removed: "You no longer belong to an account on this hub. Ask an owner of the account to invite you again.",
};

interface Props {
  next: string;
  /** The error code of a failed sign-in through an identity provider. */
  error?: string;
  services: { id: string; name: string }[];
}

export function SignIn({ next, error, services }: Props) {
  const initialError = error && (reasons[error] ?? "Sign-in failed. Try again.");
  const [formError, setFormError] = useState<string | undefined>(initialError);
  const { busy, onSubmit } = useSubmit(async (form) => {
    const problem = await signInWithPassword(readText(form, "email"), readText(form, "password"), next);
    setFormError(problem ?? undefined);
  });
  const continueWith = async (service: string) => {
    const response = await postAuth(`signin/${service}`, { callbackUrl: next }).catch(() => null);
    if (response?.url) window.location.assign(response.url);
    else setFormError("The hub could not be reached. Try again.");
  };
  return (
    <>
      <Form onSubmit={onSubmit}>
        <EmailField />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          data-missing="Enter your password."
        />
        <FormError>{formError}</FormError>
        <Button kind="primary" type="submit" busy={busy}>
          Sign in
        </Button>
        <Link href="/forgot-password" className="touch-target text-center text-sm text-accent underline">
          Forgot your password?
        </Link>
      </Form>
      {services.length > 0 && (
        <div className="grid gap-2 border-t border-line pt-5">
          {services.map(({ id, name }) => (
            <Button key={id} onClick={() => void continueWith(id)}>
              Continue with {name}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
