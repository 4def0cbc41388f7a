"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { GenerationTable, pollWhileActive } from "../generations/generation-table";
import type { GenerationSummary } from "../generations/types";
import { FirstSteps } from "./first-steps";
import { Spend } from "./spend";

const IDLE_POLL_INTERVAL_MS = 5_000;

/** Shows spend and recent generations; the first steps for a new account. */
export function Activity() {
  const { data } = useQuery({
    ...useTRPC().generations.recent.queryOptions(),
    refetchInterval: ({ state }) => pollWhileActive(state.data ?? [], IDLE_POLL_INTERVAL_MS),
  });
  if (!data) return null;
  if (data.length === 0) return <FirstSteps />;
  return (
    <>
      <Spend />
      <RecentGenerations generations={data} />
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
    <GenerationTable generations={generations} />
  </Card>
);
