"use client";

import { signOut } from "../../shell/sign-out";
import { Button } from "../../ui/button";

/** Shows who is signing in, with a button to use another account. */
export const UseAnotherAccount = ({ email }: { email: string }) => (
  <>
    <span className="block wrap-anywhere">Signing in as {email}</span>
    <Button kind="ghost" onClick={() => void signOut()}>
      Use another account
    </Button>
  </>
);
