"use client";

import { useState } from "react";
import { signOut } from "../../shell/sign-out";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";

export function SignOutEverywhere() {
  const [confirming, setConfirming] = useState(false);
  const end = useHubMutation((trpc) => trpc.sessions.endAll, { onSuccess: signOut });
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="text-sm leading-6 text-soft">Ends every session on every device. API keys keep working.</p>
      <Button busy={end.isPending} onClick={() => setConfirming(true)}>
        Sign out everywhere
      </Button>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title="Sign out everywhere?"
        verb="Sign out"
        onConfirm={() => end.mutate()}
      >
        You’ll need to sign in again on every device, including this one.
      </Confirm>
    </div>
  );
}
