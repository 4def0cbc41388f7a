"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { pollWhileActive } from "../generations/poll-while-active";
import { FirstSteps } from "./first-steps";
import { Recent } from "./recent";
import { Spend } from "./spend";

const IDLE_POLL_INTERVAL_MS = 5_000;

/** Spend and recent generations; the first steps for a new account. */
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
      <Recent generations={data} />
    </>
  );
}
