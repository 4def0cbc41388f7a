"use client";

import { type QueryFilters, useQueryClient } from "@tanstack/react-query";
import { errorsOf } from "../ui/errors-of";
import { useToast } from "../ui/toasts";
import { useTRPC } from "./client";

/** Returns mutation handlers that show an error as a toast and invalidate the `changed` queries. */
export function useMutationHandlers(changed: (trpc: ReturnType<typeof useTRPC>) => QueryFilters[] = () => []) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const toast = useToast();
  return {
    trpc,
    toast,
    handlers: {
      onError: (error: unknown) => toast({ text: errorsOf(error)!.message, tone: "danger" as const }),
      onSettled: () => Promise.all(changed(trpc).map((filter) => client.invalidateQueries(filter))),
    },
  };
}
