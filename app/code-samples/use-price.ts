"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPCClient } from "../trpc/client";

const DEBOUNCE_MS = 300;

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

/** Returns the value after it has been stable for 300 ms. */
export function useDebouncedValue<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
