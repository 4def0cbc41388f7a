"use client";

import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { postAuth } from "../../session/post-auth";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { FormError, TextField } from "../../ui/field";
import { useToast } from "../../ui/toasts";
import { useSubmit } from "../../ui/use-submit";

export function ChangePassword({ email }: { email: string }) {
  const change = useMutation(useTRPC().account.changePassword.mutationOptions());
  const toast = useToast();
  const form = useRef<HTMLFormElement>(null);
  const { busy, onSubmit } = useSubmit(async (fields) => {
    const password = fields.get("password") as string;
    const sent = { current: fields.get("current") as string, password };
    const changed = await change.mutateAsync(sent).then(() => true, () => false); // prettier-ignore
    if (!changed) return;
    // Every session has ended, including this one, so sign in again.
    await postAuth("callback/credentials", { email, password });
    form.current?.reset();
    toast({ text: "Password changed. You are signed out on other devices." });
  });
  const errors = errorsOf(change.error);
  const [current, password] = [errors?.field("current", "That"), errors?.field("password")];
  return (
    <form ref={form} onSubmit={onSubmit} method="post" className="grid max-w-sm gap-4">
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField
        name="current"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        error={current}
      />
      <TextField
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        maxLength={256}
        hint="At least 8 characters. You will be signed out on other devices."
        error={password}
      />
      <FormError>{!current && !password && errors?.message}</FormError>
      <Button type="submit" kind="primary" busy={busy} className="justify-self-start">
        Change password
      </Button>
    </form>
  );
}
