"use client";

import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Button } from "../../../ui/button";
import { ConfirmedButton } from "../../../ui/confirmed-button";
import { Dialog } from "../../../ui/dialog";
import { SecretReveal } from "../../../ui/secret-reveal";

/** Offers the actions on an active endpoint. */
export const WebhookActions = ({ id, url }: { id: string; url: string }) => (
  <div className="flex flex-wrap gap-2">
    <SendTest id={id} />
    <RotateSecret id={id} />
    <Revoke id={id} url={url} />
  </div>
);

const useWebhookMutation = () => useMutationHandlers((trpc) => [trpc.webhooks.pathFilter()]);

function SendTest({ id }: { id: string }) {
  const { trpc, toast, handlers } = useWebhookMutation();
  const send = useMutation(
    trpc.webhooks.sendTest.mutationOptions({
      ...handlers,
      onSuccess: () => toast({ text: "Test event sent. The response appears below." }),
    }),
  );
  return (
    <Button needs="develop" kind="primary" busy={send.isPending} onClick={() => send.mutate({ id })}>
      <Send size={16} aria-hidden />
      Send test event
    </Button>
  );
}

function RotateSecret({ id }: { id: string }) {
  const { trpc, handlers } = useWebhookMutation();
  const rotate = useMutation(trpc.webhooks.rotateSecret.mutationOptions(handlers));
  return (
    <>
      <ConfirmedButton
        needs="develop"
        busy={rotate.isPending}
        title="Rotate the secret?"
        verb="Rotate secret"
        question="A new secret is created and shown once. The old one stays valid for 24 hours."
        onConfirm={() => rotate.mutate({ id })}
      >
        Rotate secret
      </ConfirmedButton>
      <Dialog
        open={rotate.data !== undefined}
        onOpenChange={() => rotate.reset()}
        title="New secret"
        description="The old secret stays valid for 24 hours."
      >
        <SecretReveal what="secret" secret={rotate.data?.secret ?? ""} onDone={() => rotate.reset()} />
      </Dialog>
    </>
  );
}

function Revoke({ id, url }: { id: string; url: string }) {
  const { trpc, toast, handlers } = useWebhookMutation();
  const revoke = useMutation(
    trpc.webhooks.revoke.mutationOptions({ ...handlers, onSuccess: () => toast({ text: "Webhook revoked." }) }),
  );
  return (
    <ConfirmedButton
      needs="develop"
      busy={revoke.isPending}
      title="Revoke this webhook?"
      verb="Revoke webhook"
      question={`No more events are sent to ${url}, including pending deliveries. This cannot be undone.`}
      onConfirm={() => revoke.mutate({ id })}
    >
      Revoke
    </ConfirmedButton>
  );
}
