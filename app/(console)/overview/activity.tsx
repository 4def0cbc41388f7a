"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { GenerationTable, pollWhileActive } from "../generations/generation-table";
import { NoGenerations } from "../generations/no-generations";
import type { GenerationSummary } from "../generations/types";
import { FirstSteps } from "./first-steps";
import { Spend } from "./spend";

const IDLE_POLL_INTERVAL_MS = 5_000;

/** Shows the first steps of a new account, spend and recent generations. */
export function Activity() {
  const trpc = useTRPC();
  const { data: summary } = useQuery(trpc.overview.summary.queryOptions());
  const { data } = useQuery({
    ...trpc.generations.recent.queryOptions(),
    refetchInterval: ({ state }) => pollWhileActive(state.data ?? [], IDLE_POLL_INTERVAL_MS),
  });
  if (!data) return null;
  return (
    <>
      <FirstSteps hasGeneration={data.length > 0} />
      {data.length > 0 && <Spend />}
      {/* The first steps say already how to begin. */}
      {(data.length > 0 || !summary?.shows_steps) && <RecentGenerations generations={data} />}
    </>
  );
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
