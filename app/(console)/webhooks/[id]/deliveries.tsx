"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { pollUnlessQuiet } from "../../../trpc/quiet-page";
import { type Trpc, useHubMutation } from "../../../trpc/use-hub-mutation";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { FilterCheck } from "../../../ui/filter";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { Pager, useCursor } from "../../../ui/pager";
import { Sample } from "../../../ui/sample";
import { SelectionBar, useSelection } from "../../../ui/selection";
import { useSearch } from "../../../ui/use-search";
import { DeliveryList, pollWhilePending } from "../delivery-list";
import { readDeliveryFilters } from "../read-delivery-filters";
import type { Delivery } from "../types";

const IDLE_POLL_INTERVAL_MS = 5_000;

interface Props {
  id: string;
  isRevoked: boolean;
}

/** Lists the deliveries of an endpoint, with pagination; pending ones update live, and several can be resent at once. */
export function Deliveries({ id, isRevoked }: Props) {
  const { read, change } = useSearch();
  const filters = readDeliveryFilters(read);
  const pager = useCursor(JSON.stringify(filters));
  const query = useQuery({
    ...useTRPC().webhooks.deliveries.queryOptions({ id, ...filters, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    // New deliveries appear on the first page.
    refetchInterval: ({ state }) => pollInterval(state.data?.data ?? [], pager.isFirst && !isRevoked),
  });
  const deliveries = query.data?.data ?? [];
  const selection = useSelection(deliveries.map((delivery) => delivery.id));
  const { resendSelected, resendFailed, isBusy } = useResend(id);
  const canResend = !isRevoked && deliveries.some(({ status }) => status === "failed");
  return (
    <Card
      flush
      title="Deliveries"
      action={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <FilterCheck
            label="Failed or retrying"
            checked={filters.failed === true}
            onChange={({ target }) => change("failed", target.checked ? "yes" : "")}
          />
          {canResend && (
            <Button needs="develop" busy={isBusy} onClick={resendFailed}>
              Resend all failed
            </Button>
          )}
        </div>
      }
    >
      {deliveries.length > 0 && !isRevoked && (
        <SelectionBar selection={selection} noun="deliveries">
          <Button
            needs="develop"
            kind="primary"
            busy={isBusy}
            onClick={() => resendSelected(selection.ids, { onSuccess: selection.clear })}
          >
            Resend
          </Button>
        </SelectionBar>
      )}
      <DeliveryList deliveries={deliveries} isRevoked={isRevoked} selection={isRevoked ? undefined : selection} />
      {!query.data && <NotLoaded what="The list" query={query} />}
      {query.data?.data.length === 0 && <NoDeliveries isRevoked={isRevoked} isFiltered={filters.failed} />}
      <Pager pager={pager} next={query.data?.next_cursor} />
    </Card>
  );
}

function pollInterval(deliveries: Delivery[], isGrowing: boolean): number | false {
  const [pending, idle] = [pollWhilePending(deliveries), isGrowing && pollUnlessQuiet(IDLE_POLL_INTERVAL_MS)];
  return pending && idle ? Math.min(pending, idle) : pending || idle;
}

const resending = {
  invalidates: (trpc: Trpc) => [trpc.webhooks.deliveries.pathFilter()],
  successToast: ({ count }: { count: number }) =>
    count === 1 ? "1 delivery queued again." : `${count} deliveries queued again.`,
};

/** Returns the functions that send several deliveries again. */
function useResend(id: string) {
  const selected = useHubMutation((trpc) => trpc.webhooks.redeliverSelected, resending);
  const failed = useHubMutation((trpc) => trpc.webhooks.redeliverFailed, resending);
  return {
    resendSelected: (ids: string[], options: { onSuccess: () => void }) => selected.mutate({ ids }, options),
    resendFailed: () => failed.mutate({ id }),
    isBusy: selected.isPending || failed.isPending,
  };
}

const sample = (
  <Sample
    icon={<Send size={18} />}
    title="generation.completed"
    detail="HTTP 200 after 120 ms · 1 attempt"
    end={<Badge tone="good">Delivered</Badge>}
  />
);

const NoDeliveries = ({ isRevoked, isFiltered }: { isRevoked: boolean; isFiltered?: boolean }) =>
  isFiltered ? (
    <Notice heading="h3" title="No failed deliveries" icon={<Send size={20} />}>
      None of the last 30 days’ deliveries failed, and none is being retried.
    </Notice>
  ) : (
    <Notice heading="h3" title="No deliveries yet" icon={<Send size={20} />} sample={!isRevoked && sample}>
      {isRevoked
        ? "This webhook was revoked before anything was sent."
        : "Send a test event or start a generation. Deliveries are kept for 30 days."}
    </Notice>
  );
