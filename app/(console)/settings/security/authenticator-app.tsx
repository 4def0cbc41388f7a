"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SetUpTotp } from "../../../factors/set-up-totp";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { ConfirmedButton } from "../../../ui/confirmed-button";
import { Dialog } from "../../../ui/dialog";
import { TimeAgo } from "../../../ui/time-ago";

interface Props {
  /** Null without an app. */
  addedAt: string | null;
  onCodes: (codes: string[] | null) => void;
}

/** Sets up, replaces and removes the authenticator app of the person. */
export function AuthenticatorApp({ addedAt, onCodes }: Props) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.factors.list.queryFilter()]);
  const [isOpen, setOpen] = useState(false);
  const onSuccess = () => toast({ text: "Authenticator app removed." });
  const remove = useMutation(trpc.factors.removeTotp.mutationOptions({ ...handlers, onSuccess }));
  const onAdded = (codes: string[] | null) => {
    setOpen(false);
    void handlers.onSettled();
    toast({ text: "Authenticator app set up." });
    onCodes(codes);
  };
  return (
    <Card
      title="Authenticator app"
      action={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpen(true)}>{addedAt ? "Replace" : "Set up"}</Button>
          {addedAt && (
            <ConfirmedButton
              busy={remove.isPending}
              label="Remove the authenticator app"
              title="Remove the authenticator app?"
              verb="Remove"
              question="Its codes no longer work. Delete the entry in the app as well."
              onConfirm={() => remove.mutate()}
            >
              Remove
            </ConfirmedButton>
          )}
        </div>
      }
    >
      <p className="text-sm leading-6 text-soft">
        {addedAt ? (
          <>
            Set up <TimeAgo at={addedAt} />.
          </>
        ) : (
          "Not set up. An app on your phone shows a new code every 30 seconds."
        )}
      </p>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Set up an authenticator app">
        <SetUpTotp onAdded={onAdded} />
      </Dialog>
    </Card>
  );
}
