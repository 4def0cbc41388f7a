"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { usePermission } from "../../ui/access-context";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { GenerationTable, pollWhileActive } from "../generations/generation-table";
import { NoGenerations } from "../generations/no-generations";
import type { GenerationSummary } from "../generations/types";
import { useLiveGenerations } from "../generations/use-live-generations";
import { FirstSteps } from "./first-steps";
import { Spend } from "./spend";

const IDLE_POLL_INTERVAL_MS = 5_000;

/** Shows the first steps of a new account, spend and recent generations. */
export function Activity() {
  const trpc = useTRPC();
  const { data: summary } = useQuery(trpc.overview.summary.queryOptions());
  const isLive = useLiveGenerations();
  const { data } = useQuery({
    ...trpc.generations.recent.queryOptions(),
    refetchInterval: ({ state }) => pollWhileActive(state.data ?? [], IDLE_POLL_INTERVAL_MS, isLive.current),
  });
  const showsMoney = usePermission("billing");
  const canDevelop = usePermission("develop");
  useCharges(data);
  if (!data) return null;
  return (
    <>
      {canDevelop && <FirstSteps hasGeneration={data.length > 0} />}
      {showsMoney && data.length > 0 && <Spend />}
      {/* The first steps already say how to begin. */}
      {(data.length > 0 || !summary?.shows_steps || !canDevelop) && <RecentGenerations generations={data} />}
    </>
  );
}

/** Refreshes spend and balance when a generation ends, because it is charged then. */
function useCharges(generations: GenerationSummary[] = []): void {
  const trpc = useTRPC();
  const client = useQueryClient();
  const lastEnd = generations.reduce((latest, { completed_at }) => {
    return completed_at !== null && completed_at > latest ? completed_at : latest;
  }, "");
  const known = useRef(lastEnd);
  useEffect(() => {
    if (known.current === lastEnd) return;
    known.current = lastEnd;
    void client.invalidateQueries(trpc.overview.spend.queryFilter());
    void client.invalidateQueries(trpc.account.get.queryFilter());
  }, [client, trpc, lastEnd]);
}

const RecentGenerations = ({ generations }: { generations: GenerationSummary[] }) => (
  <Card
    title="Recent generations"
    flush
    action={
      <Button asChild>
        <Link href="/generations">All generations</Link>
      </Button>
    }
  >
    {generations.length > 0 ? <GenerationTable generations={generations} /> : <NoGenerations isFiltered={false} />}
  </Card>
);
