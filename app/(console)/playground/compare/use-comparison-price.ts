"use client";

import { useQueries } from "@tanstack/react-query";
import { priceQuery } from "../../../code-samples/use-price";
import { useTRPCClient } from "../../../trpc/client";
import { useDebouncedValue } from "../../../ui/use-debounced-value";
import { isExactPrice } from "../../models/exact-price";
import type { ModelSummary } from "../../models/types";
import { inputFor } from "./prompt-input";

const SAMPLE = "A lighthouse at dawn";

/** Returns the price of a prompt on each model, and the total; undefined while one is unknown. */
export function useComparisonPrice(models: ModelSummary[], prompt: string) {
  const client = useTRPCClient();
  const settled = useDebouncedValue(prompt || SAMPLE);
  const results = useQueries({
    queries: models.map((model) => priceQuery(client, model.id, JSON.stringify(inputFor(model, settled)))),
  });
  const prices = results.map(({ data }) => data?.estimated_cost);
  const isKnown = prices.length > 0 && !prices.includes(undefined);
  return {
    prices: new Map(models.map(({ id }, index) => [id, prices[index]])),
    total: isKnown ? prices.reduce((sum = 0, one = 0) => sum + one, 0) : undefined,
    isExact: models.every(isExactPrice),
    error: results.find(({ error }) => error)?.error ?? null,
  };
}
