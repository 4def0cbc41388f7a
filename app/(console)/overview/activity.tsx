"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { usePermission } from "../../ui/access-context";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { GenerationTable } from "../generations/generation-table";
import { pollWhileActive } from "../generations/poll-generations";
import { listRows, noRows, type Rows } from "../generations/list-rows";
import { NoGenerations } from "../generations/no-generations";
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
    refetchInterval: ({ state }) =>
      pollWhileActive(listRows(state.data ?? noRows), pollUnlessQuiet(IDLE_POLL_INTERVAL_MS), isLive.current),
  });
  const showsMoney = usePermission("billing");
  const canDevelop = usePermission("develop");
  useCharges(data);
  if (!data) return null;
  const hasGeneration = data.data.length + data.batches.length > 0;
  return (
    <>
      {canDevelop && <FirstSteps hasGeneration={hasGeneration} />}
      {showsMoney && hasGeneration && <Spend />}
      {/* The first steps already say how to begin. */}
      {(hasGeneration || !summary?.shows_steps || !canDevelop) && <RecentGenerations rows={data} />}
    </>
  );
}

/** Refreshes spend and balance when a generation ends, because it is charged then. */
function useCharges(rows: Rows = noRows): void {
  const trpc = useTRPC();
  const client = useQueryClient();
  const lastEnd = listRows(rows).reduce((latest, { completed_at }) => {
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

const RecentGenerations = ({ rows: { data, batches } }: { rows: Rows }) => (
  <Card
    title="Recent generations"
    flush
    action={
      <Button asChild>
        <Link href="/generations">All generations</Link>
      </Button>
    }
  >
    {data.length + batches.length > 0 ? (
      <GenerationTable generations={data} batches={batches} />
    ) : (
      <NoGenerations isFiltered={false} />
    )}
  </Card>
);
