"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { BackLink } from "../../../ui/link";
import { CopyButton } from "../../../ui/copy-button";
import { PageHeader } from "../../../ui/page-header";
import { TimeAgo } from "../../../ui/time-ago";
import { EndpointState, EventNames } from "../webhook-table";
import { Card } from "../../../ui/card";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { Pager, useCursor } from "../../../ui/pager";
import { DeliveryList, pollWhilePending } from "../delivery-list";
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

const IDLE_POLL_INTERVAL_MS = 5_000;

/** Lists the deliveries of an endpoint, with pagination; pending ones update live. */
function Deliveries({ id, isRevoked }: { id: string; isRevoked: boolean }) {
  const pager = useCursor();
  const query = useQuery({
    ...useTRPC().webhooks.deliveries.queryOptions({ id, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state: { data } }) => {
      const pendingInterval = data && pollWhilePending(data.data);
      // New deliveries appear on the first page.
      return pager.isFirst && !isRevoked
        ? Math.min(pendingInterval || IDLE_POLL_INTERVAL_MS, IDLE_POLL_INTERVAL_MS)
        : pendingInterval;
    },
  });
  const { data } = query;
  return (
    <Card flush title="Deliveries">
      {data && data.data.length > 0 && <DeliveryList deliveries={data.data} isRevoked={isRevoked} />}
      {data?.data.length === 0 && (
        <Notice title="No deliveries yet" icon={<Send size={20} />}>
          {isRevoked
            ? "This webhook was revoked before anything was sent."
            : "Send a test event or start a generation. Deliveries are kept for 30 days."}
        </Notice>
      )}
      {!data && <NotLoaded what="The list" query={query} />}
      <Pager pager={pager} next={data?.next_cursor} />
    </Card>
  );
}
