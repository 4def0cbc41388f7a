"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPCClient } from "../trpc/client";

const DEBOUNCE_MS = 300;

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

/** Returns the value after it has been stable for 300 ms. */
function useDebouncedValue<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
