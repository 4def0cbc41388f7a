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

const QUIET_MS = 5_000;

/** What was sent to an endpoint, page by page; what is on its way moves by itself. */
export function Deliveries({ id, isRevoked }: { id: string; isRevoked: boolean }) {
  const at = useCursor();
  const query = useQuery({
    ...useTRPC().webhooks.deliveries.queryOptions({ id, cursor: at.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state: { data } }) => {
      const owed = data && pollWhilePending(data.data);
      // What is new appears on the first page.
      return at.isFirst && !isRevoked ? Math.min(owed || QUIET_MS, QUIET_MS) : owed;
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
      <Pager at={at} next={data?.next_cursor} />
    </Card>
  );
}
