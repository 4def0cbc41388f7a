"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import type { Outputs } from "../../trpc/outputs";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { FocusedStatus } from "../../ui/focused-status";
import { Form, FormError, readText, useSubmit } from "../../ui/form";
import { Link } from "../../ui/link";
import { PasswordField } from "../../ui/password-field";

export function ResetPassword({ token }: { token: string }) {
  const reset = useMutation(useTRPC().access.resetPassword.mutationOptions());
  const { busy, onSubmit } = useSubmit(async (form) => {
    await reset.mutateAsync({ token, password: readText(form, "password") }).catch(() => undefined);
  });
  const errors = errorsOf(reset.error);
  if (reset.data) return <Done {...reset.data} />;
  return (
    <Form onSubmit={onSubmit} error={reset.error}>
      <PasswordField
        name="password"
        label="New password"
        autoComplete="new-password"
        required
        data-missing="Enter a new password."
        autoFocus
        minLength={8}
        maxLength={256}
        hint="At least 8 characters. You will be signed out everywhere."
        error={errors?.field("password", "The password")}
      />
      <FormError>{errors?.field("token", "This link") ?? errors?.messageUnlessAt("password")}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Set password
      </Button>
    </Form>
  );
}

type Result = Outputs["access"]["resetPassword"];

const plural = (count: number, noun: string) => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`]);
const list = new Intl.ListFormat("en");

/** Describes what was revoked and canceled; null if nothing was. */
function endedText({ revokedKeys, revokedWebhooks, canceledGenerations }: Result): string | null {
  const revoked = [...plural(revokedKeys, "API key"), ...plural(revokedWebhooks, "webhook")];
  const canceled = plural(canceledGenerations, "generation");
  const parts = [
    ...(revoked.length > 0 ? [`revoked ${list.format(revoked)}`] : []),
    ...(canceled.length > 0 ? [`canceled ${canceled[0]}`] : []),
  ];
  return parts.length > 0 ? list.format(parts) : null;
}

const Done = (result: Result) => (
  <FocusedStatus>
    <p>Password changed.</p>
    {endedText(result) && (
      <p>
        This e-mail address had not been verified before. In case someone else used the account, we {endedText(result)}.
      </p>
    )}
    <Button kind="primary" asChild>
      <Link href="/sign-in">Sign in</Link>
    </Button>
  </FocusedStatus>
);
