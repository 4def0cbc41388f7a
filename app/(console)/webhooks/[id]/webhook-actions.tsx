"use client";

import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/confirm";
import { Dialog } from "../../../ui/dialog";
import { ShownOnce } from "../../../ui/shown-once";

/** What can be done with an endpoint that is active. */
export const WebhookActions = ({ id, url }: { id: string; url: string }) => (
  <div className="flex flex-wrap gap-2">
    <SendTest id={id} />
    <RotateSecret id={id} />
    <Revoke id={id} url={url} />
  </div>
);

const useAfter = () => useMutationHandlers((trpc) => [trpc.webhooks.pathFilter()]);

function SendTest({ id }: { id: string }) {
  const { trpc, say, ends } = useAfter();
  const send = useMutation(
    trpc.webhooks.sendTest.mutationOptions({
      ...ends,
      onSuccess: () => say({ text: "Test event sent. The response appears below." }),
    }),
  );
  return (
    <Button kind="primary" busy={send.isPending} onClick={() => send.mutate({ id })}>
      <Send size={16} aria-hidden />
      Send test event
    </Button>
  );
}

function RotateSecret({ id }: { id: string }) {
  const { trpc, ends } = useAfter();
  const [asking, setAsking] = useState(false);
  const rotate = useMutation(trpc.webhooks.rotateSecret.mutationOptions(ends));
  return (
    <>
      <Button busy={rotate.isPending} onClick={() => setAsking(true)}>
        Rotate secret
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Rotate the secret?"
        verb="Rotate secret"
        onConfirm={() => rotate.mutate({ id })}
      >
        A new secret is created and shown once. The old one stays valid for 24 hours.
      </Confirm>
      <Dialog
        open={rotate.data !== undefined}
        onOpenChange={() => rotate.reset()}
        title="New secret"
        description="The old secret stays valid for 24 hours."
      >
        <ShownOnce what="secret" secret={rotate.data?.secret ?? ""} onDone={() => rotate.reset()} />
      </Dialog>
    </>
  );
}

function Revoke({ id, url }: { id: string; url: string }) {
  const { trpc, say, ends } = useAfter();
  const [asking, setAsking] = useState(false);
  const revoke = useMutation(
    trpc.webhooks.revoke.mutationOptions({ ...ends, onSuccess: () => say({ text: "Webhook revoked." }) }),
  );
  return (
    <>
      <Button busy={revoke.isPending} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Revoke this webhook?"
        verb="Revoke webhook"
        onConfirm={() => revoke.mutate({ id })}
      >
        No more events are sent to {url}, including pending deliveries. This cannot be undone.
      </Confirm>
    </>
  );
}
