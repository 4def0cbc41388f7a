"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { Pager, useCursor } from "../../../ui/pager";
import { DeliveryList } from "../delivery-list";
import { pollWhilePending } from "../poll-while-pending";

const IDLE_POLL_INTERVAL_MS = 5_000;

/** Lists the deliveries of an endpoint, with pagination; pending ones update live. */
export function Deliveries({ id, isRevoked }: { id: string; isRevoked: boolean }) {
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
