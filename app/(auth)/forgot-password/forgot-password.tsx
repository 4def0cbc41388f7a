"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { FocusedStatus } from "../../ui/focused-status";
import { Form, FormError, readText, useSubmit } from "../../ui/form";
import { EmailField } from "../email-field";

export function ForgotPassword() {
  const request = useMutation(useTRPC().access.forgotPassword.mutationOptions());
  const { busy, onSubmit } = useSubmit(async (form) => {
    await request.mutateAsync({ email: readText(form, "email") }).catch(() => undefined);
  });
  if (request.isSuccess) {
    return (
      <FocusedStatus>
        If this address has an account, we’ve sent it a link to set a new password. The link works once and expires in
        an hour.
      </FocusedStatus>
    );
  }
  return (
    <Form onSubmit={onSubmit} error={request.error}>
      <EmailField />
      <FormError>{errorsOf(request.error)?.message}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Send link
      </Button>
    </Form>
  );
}
