"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { leave } from "../../shell/sign-out";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { errorsOf } from "../../ui/errors-of";
import { useToast } from "../../ui/toasts";

export function SignOutEverywhere() {
  const say = useToast();
  const [asking, setAsking] = useState(false);
  const end = useMutation(
    useTRPC().account.signOutEverywhere.mutationOptions({
      onSuccess: leave,
      onError: (error) => say({ text: errorsOf(error)!.message, tone: "danger" }),
    }),
  );
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="text-sm leading-6 text-soft">Ends every session on every device. API keys go on working.</p>
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
        You sign in again on each device, this one as well.
      </Confirm>
    </div>
  );
}
