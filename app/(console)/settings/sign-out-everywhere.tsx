"use client";

import { signOut } from "../../shell/sign-out";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { ConfirmedButton } from "../../ui/dialog";

export function SignOutEverywhere() {
  const end = useHubMutation((trpc) => trpc.sessions.endAll, { onSuccess: signOut });
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="text-sm leading-6 text-soft">Ends every session on every device. API keys keep working.</p>
      <ConfirmedButton
        busy={end.isPending}
        title="Sign out everywhere?"
        verb="Sign out"
        question="You’ll need to sign in again on every device, including this one."
        onConfirm={() => end.mutate()}
      >
        Sign out everywhere
      </ConfirmedButton>
    </div>
  );
}
