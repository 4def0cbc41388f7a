"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { postAuth } from "../../session/post-auth";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, useSubmit } from "../../ui/form";
import { PasswordField } from "../../ui/password-field";
import { useToast } from "../../ui/toasts";

export function ChangePassword({ email }: { email: string }) {
  const change = useMutation(useTRPC().account.changePassword.mutationOptions());
  const toast = useToast();
  const router = useRouter();
  const { busy, onSubmit } = useSubmit(async (fields, form) => {
    const password = readText(fields, "password");
    const sent = { current: readText(fields, "current"), password };
    const changed = await change.mutateAsync(sent).then(() => true, () => false); // prettier-ignore
    if (!changed) return;
    // Every session has ended, including this one, so sign in again.
    await postAuth("callback/credentials", { email, password });
    form.reset();
    // The new session may need a second factor.
    router.refresh();
    toast({ text: "Password changed. You are signed out on other devices." });
  });
  const errors = errorsOf(change.error);
  return (
    <Form onSubmit={onSubmit} error={change.error} className="grid max-w-sm gap-4">
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        name="current"
        label="Current password"
        autoComplete="current-password"
        required
        data-missing="Enter your current password."
        error={errors?.field("current")}
      />
      <PasswordField
        name="password"
        label="New password"
        autoComplete="new-password"
        required
        data-missing="Enter a new password."
        minLength={8}
        maxLength={256}
        hint="At least 8 characters. You will be signed out on other devices."
        error={errors?.field("password", "The password")}
      />
      <FormError>{errors?.messageUnlessAt("current", "password")}</FormError>
      <Button type="submit" kind="primary" busy={busy} className="justify-self-start">
        Change password
      </Button>
    </Form>
  );
}
