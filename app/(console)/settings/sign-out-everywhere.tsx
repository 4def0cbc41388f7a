"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { leave } from "../../shell/sign-out";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/confirm";

export function SignOutEverywhere() {
  const { trpc, ends } = useMutationHandlers();
  const [asking, setAsking] = useState(false);
  const end = useMutation(trpc.sessions.endAll.mutationOptions({ ...ends, onSuccess: leave }));
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="text-sm leading-6 text-soft">Ends every session on every device. API keys keep working.</p>
      <Button busy={end.isPending} onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        verb="Sign out"
        onConfirm={() => end.mutate()}
      >
        You’ll need to sign in again on every device, including this one.
      </Confirm>
    </div>
  );
}
