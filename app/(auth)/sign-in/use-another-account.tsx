"use client";

import { signOut } from "../../shell/sign-out";
import { Button } from "../../ui/button";

/** Says who signs in, and lets somebody else do so. */
export const UseAnotherAccount = ({ email }: { email: string }) => (
  <>
    <span className="block wrap-anywhere">Signing in as {email}</span>
    <Button kind="ghost" onClick={() => void signOut()}>
      Use another account
    </Button>
  </>
);
