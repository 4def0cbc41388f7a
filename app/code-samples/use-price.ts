"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPCClient } from "../trpc/client";
import { useDebouncedValue } from "../ui/use-debounced-value";

/** Returns the hub's price of an input, fetched again when the input has been stable for a moment. */
export function usePrice(id: string, input: Record<string, unknown>) {
  const client = useTRPCClient();
  const settled = useDebouncedValue(JSON.stringify(input));
  return useQuery({
    queryKey: ["price", id, settled],
    queryFn: () => client.models.price.mutate({ id, input: JSON.parse(settled) as Record<string, unknown> }),
    placeholderData: keepPreviousData,
  });
}
