"use client";

import { useQuery } from "@tanstack/react-query";
import { Badge } from "../../ui/badge";
import { Duration } from "../../ui/formats-context";
import { TimeAgo } from "../../ui/time-ago";
import { useTRPC } from "../../trpc/client";
import { CopyButton } from "../../ui/copy-button";
import { errorsOf } from "../../ui/errors-of";
import { Skeleton } from "../../ui/skeleton";
import type { Delivery } from "./types";

/** Lists every attempt of a delivery with its response. */
export function DeliveryAttempts({ attempts }: { attempts: Delivery["attempts"] }) {
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
              <Badge tone={status < 300 ? "good" : "danger"}>HTTP {status}</Badge>
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
export function DeliveryRequest({ id }: { id: string }) {
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
