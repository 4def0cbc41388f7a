"use client";

import { useMutation } from "@tanstack/react-query";
import { signOut } from "../../shell/sign-out";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { FormError } from "../../ui/form";

/** Shows who is signing in, with a button to use another account. */
export function UseAnotherAccount({ email }: { email: string }) {
  const { mutate, isPending, error } = useMutation({ mutationFn: signOut });
  return (
    <>
      <span className="block wrap-anywhere">Signing in as {email}</span>
      <Button kind="ghost" busy={isPending} onClick={() => mutate()}>
        Use another account
      </Button>
      <FormError>{errorsOf(error)?.message}</FormError>
    </>
  );
}
