"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPCClient } from "../trpc/client";
import { useDebouncedValue } from "../ui/use-debounced-value";

type Client = ReturnType<typeof useTRPCClient>;

/** How long a price is used. Its quote stays valid for another minute. */
const FRESH_MS = 14 * 60_000;

/** Returns the hub's price of an input, fetched again when the input has been stable for a moment. */
export function usePrice(id: string, input: Record<string, unknown>) {
  const client = useTRPCClient();
  const settled = useDebouncedValue(JSON.stringify(input));
  return useQuery({ ...priceQuery(client, id, settled), refetchInterval: FRESH_MS });
}

/** Returns the price of a query in EUR: undefined until it is known, null if the input has none. */
export const eurosOf = ({ data, isError }: ReturnType<typeof usePrice>): number | null | undefined =>
  data?.estimated_cost ?? (isError ? null : undefined);

/** Returns a function that returns the price of an input with its quote, cached ones included. */
export function useQuotedPrice() {
  const client = useTRPCClient();
  const queries = useQueryClient();
  return (id: string, input: Record<string, unknown>) =>
    queries.fetchQuery({ ...fetchedPrice(client, id, JSON.stringify(input)), staleTime: FRESH_MS });
}

/** The first element of the query keys of prices. */
export const PRICE_KEY = "price";

/** Returns the query of a price; `json` is the input. */
export const priceQuery = (client: Client, id: string, json: string) => ({
  ...fetchedPrice(client, id, json),
  placeholderData: keepPreviousData,
});

const fetchedPrice = (client: Client, id: string, json: string) => ({
  queryKey: [PRICE_KEY, id, json],
  // Fails at once without a network: a run that waits for its price must not start later.
  networkMode: "always" as const,
  queryFn: () => client.models.price.mutate({ id, input: JSON.parse(json) as Record<string, unknown> }),
});
