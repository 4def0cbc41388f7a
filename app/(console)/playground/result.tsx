"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Image } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect } from "react";
import { useTRPC } from "../../trpc/client";
import { Card } from "../../ui/card";
import { Notice } from "../../ui/notice";

const POLL_INTERVAL_MS = 1_000;
// Loaded on demand: there is no result before the first run.
const GenerationResult = dynamic(() => import("./generation-result").then((module) => module.GenerationResult));

/** Shows the result of a run, polled until it ends. */
export function Result({ id }: { id: string | undefined }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { data: generation } = useQuery({
    ...trpc.generations.get.queryOptions({ id: id ?? "" }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.completed_at ? false : POLL_INTERVAL_MS),
  });
  const { status } = generation ?? {};
  // Holds and charges change the available balance.
  useEffect(() => {
    if (status) void client.invalidateQueries(trpc.account.get.queryFilter());
  }, [status, client, trpc]);
  if (!generation) {
    return (
      <Card title="Result">
        <Notice title={id ? "Sending…" : "No result yet"} icon={<Image size={20} />}>
          Results appear here and are saved in Files.
        </Notice>
      </Card>
    );
  }
  return <GenerationResult generation={generation} />;
}
