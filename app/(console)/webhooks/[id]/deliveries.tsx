"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { errorsOf } from "../../../ui/errors-of";
import { Notice } from "../../../ui/notice";
import { Pager, useCursor } from "../../../ui/pager";
import { DeliveryList } from "../delivery-list";
import { pollWhileOwed } from "../poll-while-owed";

/** What was sent to an endpoint, page by page; what is on its way moves by itself. */
export function Deliveries({ id, isRevoked }: { id: string; isRevoked: boolean }) {
  const at = useCursor();
  const { data, error, refetch } = useQuery({
    ...useTRPC().webhooks.deliveries.queryOptions({ id, cursor: at.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => state.data && pollWhileOwed(state.data.data),
  });
  return (
    <Card flush title="Deliveries">
      {data && data.data.length > 0 && <DeliveryList deliveries={data.data} isRevoked={isRevoked} />}
      {data?.data.length === 0 && (
        <Notice title="Nothing was sent yet" icon={<Send size={20} />}>
          {isRevoked
            ? "It was revoked before anything happened."
            : "Send a test event, or start a generation. What was sent is kept for 30 days."}
        </Notice>
      )}
      {!data && (
        <Notice
          title="The deliveries could not be loaded"
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          {errorsOf(error)?.message}
        </Notice>
      )}
      <Pager at={at} next={data?.next_cursor} />
    </Card>
  );
}
