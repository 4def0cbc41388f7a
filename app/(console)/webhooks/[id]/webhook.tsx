"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { BackLink } from "../../../ui/link";
import { CopyButton } from "../../../ui/copy-button";
import { PageHeader } from "../../../ui/page-header";
import { TimeAgo } from "../../../ui/time-ago";
import { EndpointState, EventNames } from "../webhook-table";
import { Deliveries } from "./deliveries";
import { WebhookActions } from "./webhook-actions";

export function Webhook({ id }: { id: string }) {
  const { data: endpoint } = useQuery(useTRPC().webhooks.get.queryOptions({ id }));
  if (!endpoint) return null;
  const { url, events, status, last_error } = endpoint;
  return (
    <>
      <BackLink href="/webhooks">Webhooks</BackLink>
      <PageHeader title={new URL(url).host} action={status === "active" && <WebhookActions id={id} url={url} />}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <code className="font-mono text-xs break-all">{url}</code>
          <CopyButton text={url} label="Copy URL" iconOnly />
          <EndpointState endpoint={endpoint} />
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
