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

interface Props {
  token: string;
  /** The e-mail address of the person who is signed in; null if nobody is. */
  signedInAs: string | null;
}

/** Accepts an invitation link as the person who is signed in, or with an address and password, also of somebody new. */
export function AcceptLink({ token, signedInAs }: Props) {
  const accept = useMutation(useTRPC().access.acceptInvitation.mutationOptions());
  const [formError, setFormError] = useState<string | null>(null);
  const { busy, onSubmit } = useSubmit(async (form) => {
    const credentials = signedInAs ? null : { email: readText(form, "email"), password: readText(form, "password") };
    const isAccepted = await accept.mutateAsync({ token, ...credentials }).then(() => true, () => false); // prettier-ignore
    if (!isAccepted) return;
    if (credentials) setFormError(await signInWithPassword(credentials.email, credentials.password, "/overview"));
    else window.location.assign("/overview");
  });
  const errors = errorsOf(accept.error);
  return (
    <Form onSubmit={onSubmit} error={accept.error}>
      {signedInAs ? (
        <p className="text-sm leading-6 wrap-anywhere text-soft">You join as {signedInAs}.</p>
      ) : (
        <>
          <EmailField error={errors?.field("email", "This address")} />
          <PasswordField
            name="password"
            label="Password"
            autoComplete="current-password"
            required
            data-missing="Enter a password."
            minLength={8}
            maxLength={256}
            hint="Your password on this hub. If you are new here, choose one with at least 8 characters."
            error={errors?.field("password", "The password")}
          />
        </>
      )}
      <FormError>
        {formError ?? errors?.field("token", "This link") ?? errors?.messageUnlessAt("email", "password")}
      </FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Join
      </Button>
      {!signedInAs && (
        <Link
          href={`/sign-in?next=${encodeURIComponent(`/invitation?token=${token}`)}`}
          prefetch={false}
          className="touch-target text-center text-sm text-accent underline"
        >
          Sign in another way
        </Link>
      )}
    </Form>
  );
}
