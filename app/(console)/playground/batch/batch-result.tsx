"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { Link } from "../../../ui/link";
import { BatchCost, BatchProgress, BatchStatus } from "../../batches/batch-progress";
import { CancelBatch } from "../../batches/cancel-batch";
import { pollBatches } from "../../generations/poll-generations";
import { GenerationGrid } from "../../generations/generation-grid";
import { useLiveGenerations } from "../../generations/use-live-generations";

/** Shows a batch that was started on this page, with its first generations. */
export function BatchResult({ id }: { id: string }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const isLive = useLiveGenerations();
  const { data: batch } = useQuery({
    ...trpc.batches.get.queryOptions({ id }),
    refetchInterval: ({ state }) => pollBatches(state.data ? [state.data] : [], false, isLive.current),
  });
  const { data: page } = useQuery({
    ...trpc.generations.list.queryOptions({ batch_id: id }),
    refetchInterval: () => pollBatches(batch ? [batch] : [], false, isLive.current),
  });
  const reserved = batch?.reserved_cost;
  // What is reserved changes with each generation that ends.
  useEffect(() => {
    if (reserved === undefined) return;
    void client.invalidateQueries(trpc.account.get.queryFilter());
    void client.invalidateQueries(trpc.playground.recentRuns.queryFilter());
  }, [reserved, client, trpc]);
  if (!batch) return null;
  return (
    <Card
      title="Result"
      flush
      action={
        <span role="status">
          <BatchStatus batch={batch} />
        </span>
      }
    >
      <div className="px-4 pt-4">
        <BatchProgress batch={batch} />
      </div>
      <GenerationGrid generations={page?.data ?? []} />
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pb-4 text-sm text-soft">
        <span>
          Charged <BatchCost batch={batch} />
        </span>
        <span className="flex flex-wrap items-center gap-3">
          <Link href={`/batches/${id}`} className="text-accent underline">
            View batch
          </Link>
          <CancelBatch batch={batch} />
        </span>
      </div>
    </Card>
  );
}
