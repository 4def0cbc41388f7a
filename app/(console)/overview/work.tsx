"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { pollWhileActive } from "../generations/poll-while-active";
import { FirstSteps } from "./first-steps";
import { Recent } from "./recent";
import { Spend } from "./spend";

const QUIET_MS = 5_000;

/** What was made and what it cost; before there is anything, how to begin. */
export function Work() {
  const { data } = useQuery({
    ...useTRPC().generations.recent.queryOptions(),
    refetchInterval: ({ state }) => pollWhileActive(state.data ?? [], QUIET_MS),
  });
  if (!data) return null;
  if (data.length === 0) return <FirstSteps />;
  return (
    <>
      <Spend />
      <Recent generations={data} />
    </>
  );
}
