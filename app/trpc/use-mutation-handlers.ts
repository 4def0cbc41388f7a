"use client";

import { type QueryFilters, useQueryClient } from "@tanstack/react-query";
import { errorsOf } from "../ui/errors-of";
import { useToast } from "../ui/toasts";
import { useTRPC } from "./client";

/** How what a button does ends, for `useMutation`: a fault is told in words, and what may have changed is asked anew. */
export function useMutationHandlers(changed: (trpc: ReturnType<typeof useTRPC>) => QueryFilters[] = () => []) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useToast();
  return {
    trpc,
    say,
    ends: {
      onError: (error: unknown) => say({ text: errorsOf(error)!.message, tone: "danger" as const }),
      onSettled: () => Promise.all(changed(trpc).map((filter) => client.invalidateQueries(filter))),
    },
  };
}
