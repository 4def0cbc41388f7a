"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { errorsOf } from "../../ui/errors-of";
import { Link } from "../../ui/link";
import { LongText } from "../../ui/long-text";
import { type Selection, SelectRow } from "../../ui/selection";
import { Skeleton } from "../../ui/skeleton";
import { Duration, TimeAgo, TimeUntil } from "../../ui/values";
import { describeDelivery, isAccepted } from "./describe-delivery";
import type { Delivery } from "./types";

interface Props {
  /** With `url` where the list covers several endpoints. */
  deliveries: (Delivery & { url?: string })[];
  /** Hides the resend button: a revoked endpoint receives nothing. */
  isRevoked?: boolean;
  /** Adds a checkbox to each delivery. */
  selection?: Selection;
}

/** Lists deliveries, which expand to show the request and its responses. */
export const DeliveryList = ({ deliveries, isRevoked, selection }: Props) => (
  <ul>
    {deliveries.map((delivery) => (
      <li key={delivery.id} className="flex items-start border-b border-line last:border-0">
        {selection && (
          <div className="mt-1.5 ml-2.5 pointer-coarse:mt-0.5 pointer-coarse:ml-1.5">
            <SelectRow
              selection={selection}
              id={delivery.id}
              label={`${delivery.event}, ${describeDelivery(delivery)[1]}, ${delivery.created_at.slice(11, 19)} UTC`}
            />
          </div>
        )}
        <Item delivery={delivery} isRevoked={isRevoked} hasCheckbox={selection !== undefined} />
      </li>
    ))}
  </ul>
);

interface ItemProps {
  delivery: Props["deliveries"][number];
  isRevoked?: boolean;
  hasCheckbox: boolean;
}

function Item({ delivery, isRevoked, hasCheckbox }: ItemProps) {
  const { id, event, created_at, attempts, generation_id, url } = delivery;
  const [open, setOpen] = useState(false);
  const [tone, word] = describeDelivery(delivery);
  return (
    <details className="group min-w-0 flex-1" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary
        className={`flex min-h-12 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 py-2.5 pr-5 text-sm hover:bg-sunken/60 [&::-webkit-details-marker]:hidden ${hasCheckbox ? "pl-1" : "pl-5"}`}
      >
        <ChevronRight size={16} aria-hidden className="shrink-0 text-soft transition-transform group-open:rotate-90" />
        <Badge tone={tone}>{word}</Badge>
        <span className="font-mono text-xs">{event}</span>
        {url && (
          <span className="min-w-0 text-soft">
            <LongText text={url} />
          </span>
        )}
        <LatestAttempt delivery={delivery} />
        <span className="ml-auto text-xs text-soft">
          {attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`} · <TimeAgo at={created_at} />
        </span>
      </summary>
      {open && (
        <div className="grid gap-5 border-t border-line bg-sunken/40 px-5 py-4">
          <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-soft">
            <span>
              {generation_id && !url && (
                <Link href={`/generations/${generation_id}`} className="text-accent underline">
                  View generation
                </Link>
              )}
            </span>
            {!isRevoked && <Redeliver id={id} />}
          </div>
          <DeliveryAttempts attempts={attempts} />
          <DeliveryRequest id={id} />
        </div>
      )}
    </details>
  );
}

/** Summarizes the latest attempt, and says when the next one follows. */
function LatestAttempt({ delivery: { attempts, next_attempt_at } }: { delivery: Delivery }) {
  const latest = attempts.at(-1);
  if (!latest) return null;
  return (
    <span className="text-xs text-soft tabular-nums">
      {latest.status ?? "No response"} · <Duration ms={latest.duration_ms} />
      {next_attempt_at && (
        <>
          {" "}
          · next <TimeUntil at={next_attempt_at} />
        </>
      )}
    </span>
  );
}

function Redeliver({ id }: { id: string }) {
  const redeliver = useHubMutation((trpc) => trpc.webhooks.redeliver, {
    invalidates: (trpc) => [trpc.webhooks.deliveries.pathFilter(), trpc.generations.get.pathFilter()],
    successToast: "Delivery queued again with the same ID.",
  });
  return (
    <Button needs="develop" busy={redeliver.isPending} onClick={() => redeliver.mutate({ id })}>
      Resend
    </Button>
  );
}

interface Scheduled {
  next_attempt_at: string | null;
}

const NOW_MS = 3_000;
const SOON_MS = 60_000;

/** Returns the poll interval in ms: short while an attempt is due, long while one is scheduled, else false. */
export function pollWhilePending(deliveries: Scheduled[]): number | false {
  const due = deliveries.flatMap(({ next_attempt_at }) => (next_attempt_at ? [Date.parse(next_attempt_at)] : []));
  if (due.length === 0) return false;
  const untilDue = Math.min(...due) - Date.now();
  // Most receivers answer within a second, and somebody who has just sent a test event waits for it.
  if (Math.abs(untilDue) < NOW_MS) return 700;
  return untilDue < SOON_MS ? 2_000 : 30_000;
}

/** Lists every attempt of a delivery with its response. */
function DeliveryAttempts({ attempts }: { attempts: Delivery["attempts"] }) {
  if (attempts.length === 0) return <p className="text-sm text-soft">No attempts yet.</p>;
  return (
    <ol aria-label="Attempts" className="grid gap-3">
      {attempts.map(({ started_at, duration_ms, status, response, error }, index) => (
        <li key={index} className="grid gap-1.5 text-sm">
          <span className="flex flex-wrap items-center gap-2">
            <span className="text-soft tabular-nums">{index + 1}.</span>
            {status === null ? (
              <Badge tone="danger">No response</Badge>
            ) : (
              <Badge tone={isAccepted(status) ? "good" : "danger"}>HTTP {status}</Badge>
            )}
            <span className="text-xs text-soft">
              <TimeAgo at={started_at} />, <Duration ms={duration_ms} />
            </span>
          </span>
          {error && <span className="text-danger">{error}</span>}
          {response && (
            <pre
              tabIndex={0}
              aria-label={`Response ${index + 1}`}
              className="max-h-40 overflow-auto rounded-lg border border-line bg-raised p-3 font-mono text-xs break-all whitespace-pre-wrap"
            >
              {response}
            </pre>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Shows the request of a delivery, fetched when it is opened. */
function DeliveryRequest({ id }: { id: string }) {
  // The request never changes.
  const { data, error } = useQuery({ ...useTRPC().webhooks.request.queryOptions({ id }), staleTime: Infinity });
  if (error) return <p className="text-sm text-danger">{errorsOf(error)!.message}</p>;
  if (!data) return <Skeleton className="h-32 w-full" />;
  const headers = Object.entries(data.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center justify-between gap-3">
        <span className="text-sm font-medium">Request</span>
        <CopyButton text={data.body} label="Copy body" />
      </div>
      <pre
        tabIndex={0}
        aria-label="Request"
        className="max-h-80 overflow-auto rounded-lg border border-line bg-raised p-3 font-mono text-xs leading-5 break-all whitespace-pre-wrap"
      >
        {`POST ${data.url}\n${headers.join("\n")}\n\n${JSON.stringify(JSON.parse(data.body), null, 2)}`}
      </pre>
      <p className="text-xs text-soft">Each attempt is also signed. The body is sent without whitespace.</p>
    </div>
  );
}
