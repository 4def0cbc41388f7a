"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPCClient } from "../trpc/client";
import { useDebouncedValue } from "../ui/use-debounced-value";

/** Returns the hub's price of an input, fetched again when the input has been stable for a moment. */
export function usePrice(id: string, input: Record<string, unknown>) {
  const client = useTRPCClient();
  const settled = useDebouncedValue(JSON.stringify(input));
  return useQuery(priceQuery(client, id, settled));
}

/** Returns the query of a price; `json` is the input. */
export const priceQuery = (client: ReturnType<typeof useTRPCClient>, id: string, json: string) => ({
  queryKey: ["price", id, json],
  queryFn: () => client.models.price.mutate({ id, input: JSON.parse(json) as Record<string, unknown> }),
  placeholderData: keepPreviousData,
});
