"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { CopyButton } from "../../ui/copy-button";
import { errorsOf } from "../../ui/errors-of";
import { Skeleton } from "../../ui/skeleton";

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
