"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { TextField } from "../../ui/field";
import { FormError } from "../../ui/form-error";
import { Link } from "../../ui/link";
import { useSubmit } from "../../ui/use-submit";

export function ResetPassword({ token }: { token: string }) {
  const reset = useMutation(useTRPC().access.resetPassword.mutationOptions());
  const { busy, onSubmit } = useSubmit(async (form) => {
    await reset.mutateAsync({ token, password: form.get("password") as string }).catch(() => undefined);
  });
  const faults = errorsOf(reset.error);
  if (reset.data) return <Done revokedKeys={reset.data.revokedKeys} />;
  return (
    <form onSubmit={onSubmit} method="post" className="grid gap-4">
      <TextField
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus
        minLength={8}
        maxLength={256}
        hint="At least 8 characters. All your sessions end."
        error={faults?.field("password")}
      />
      <FormError>
        {faults?.field("token") ? `This link ${faults.field("token")}.` : !faults?.field("password") && faults?.message}
      </FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Set password
      </Button>
    </form>
  );
}

const Done = ({ revokedKeys }: { revokedKeys: number }) => (
  <div role="status" className="grid gap-4 text-sm leading-6 text-soft">
    <p>Your new password is set.</p>
    {revokedKeys > 0 && (
      <p>
        {revokedKeys} API {revokedKeys === 1 ? "key was" : "keys were"} revoked: until now nobody had shown that this
        address is theirs, so they may have been somebody else’s.
      </p>
    )}
    <Button kind="primary" asChild>
      <Link href="/sign-in">Sign in</Link>
    </Button>
  </div>
);
