"use client";

import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { pollUnlessQuiet } from "../../../trpc/quiet-page";
import { type Trpc, useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { ConfirmedButton } from "../../../ui/dialog";
import { BackLink } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { TimeAgo } from "../../../ui/values";
import { shortenUrl } from "../describe-delivery";
import { EndpointState, HealthStrip } from "../health";
import { RotateSecret } from "../rotate-secret";
import { EventNames } from "../webhook-table";
import { Deliveries } from "./deliveries";

const POLL_INTERVAL_MS = 5_000;

export function Webhook({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data: endpoint } = useQuery(trpc.webhooks.get.queryOptions({ id }));
  const { data: [health] = [] } = useQuery({
    ...trpc.webhooks.health.queryOptions({ id }),
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  if (!endpoint) return null;
  const { url, events, status, last_error } = endpoint;
  return (
    <>
      <BackLink href="/webhooks">Webhooks</BackLink>
      <PageHeader
        title={shortenUrl(url)}
        action={status === "active" && <WebhookActions id={id} url={url} isHost={events.length === 0} />}
      >
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <code className="font-mono text-xs break-all">{url}</code>
          <CopyButton text={url} label="Copy URL" iconOnly />
          <EndpointState endpoint={endpoint} health={health} />
          {health && <HealthStrip hours={health.hours} />}
          <EventNames names={events} />
        </span>
      </PageHeader>
      <div className="grid gap-6">
        {last_error && (
          <section
            aria-label="Last failure"
            className="rounded-xl border border-warning bg-warning-wash p-5 text-sm text-warning"
          >
            <h2 className="font-semibold">{last_error.message}</h2>
            <p className="mt-1">
              <code className="font-mono">{last_error.event}</code> failed <TimeAgo at={last_error.at} /> after{" "}
              {last_error.attempts === 1 ? "1 attempt" : `${last_error.attempts} attempts`}. Fix your endpoint, then
              resend it below.
            </p>
          </section>
        )}
        <Deliveries id={id} isRevoked={status === "revoked"} />
      </div>
    </>
  );
}

interface Props {
  id: string;
  url: string;
  /** Whether it is the host of generations' own webhooks. */
  isHost: boolean;
}

/** Offers the actions on an active endpoint. */
const WebhookActions = ({ id, url, isHost }: Props) => (
  <div className="flex flex-wrap gap-2">
    {!isHost && <SendTest id={id} />}
    {!isHost && <RotateOwnSecret id={id} />}
    <Revoke id={id} url={url} />
  </div>
);

const invalidates = (trpc: Trpc) => [trpc.webhooks.pathFilter()];

function SendTest({ id }: { id: string }) {
  const send = useHubMutation((trpc) => trpc.webhooks.sendTest, {
    invalidates,
    successToast: "Test event sent. The response appears below.",
  });
  return (
    <Button needs="develop" kind="primary" busy={send.isPending} onClick={() => send.mutate({ id })}>
      <Send size={16} aria-hidden />
      Send test event
    </Button>
  );
}

function RotateOwnSecret({ id }: { id: string }) {
  const rotate = useHubMutation((trpc) => trpc.webhooks.rotateSecret, { invalidates });
  return <RotateSecret rotation={rotate} onConfirm={() => rotate.mutate({ id })} />;
}

function Revoke({ id, url }: { id: string; url: string }) {
  const revoke = useHubMutation((trpc) => trpc.webhooks.revoke, { invalidates, successToast: "Webhook revoked." });
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
