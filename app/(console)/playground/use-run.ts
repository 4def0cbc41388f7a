"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PRICE_KEY } from "../../code-samples/use-price";
import type { Parameter } from "../../parameters/parameter";
import { useTRPC } from "../../trpc/client";
import { useIdempotencyKey } from "../../ui/use-idempotency-key";
import { varySeed } from "./batch/vary-seed";
import type { RunLabels } from "./label-fields";
import type { Input } from "./use-input";

/** What the page shows: a generation, or a batch of several. */
export interface Shown {
  id?: string;
  batchId?: string;
  /** Whether it was started here, and not chosen among the recent runs. */
  isNew: boolean;
}

interface Start {
  /** How many runs of the input. */
  count: number;
  /** The quote by which one run costs what is shown. */
  quote?: string;
  /** What one run costs at most, in EUR; absent if that is unknown. */
  cost?: number;
}

const SEED_DIGITS = 7;

/**
 * Starts runs with idempotency keys, one or several of an input at once, and tracks which one is shown. `onStarted` receives each
 * that has started.
 */
export function useRun(parameters: Parameter[], onStarted?: (started: Shown) => void) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [shown, setShown] = useState<Shown>();
  const { keyFor, clearKey } = useIdempotencyKey();
  const show = (next: Shown) => {
    clearKey();
    setShown(next);
    onStarted?.(next);
    void client.invalidateQueries(trpc.playground.recentRuns.queryFilter());
  };
  const one = useMutation(
    trpc.playground.run.mutationOptions({
      onSuccess: ({ id }) => show({ id, isNew: true }),
      // The quote of the price may no longer be valid.
      onError: () => void client.invalidateQueries({ queryKey: [PRICE_KEY] }),
    }),
  );
  const several = useMutation(
    trpc.batches.create.mutationOptions({ onSuccess: ({ id }) => show({ batchId: id, isNew: true }) }),
  );
  const reset = () => {
    one.reset();
    several.reset();
  };
  const start = (model: string, input: Input, labels: RunLabels, { count, quote, cost = 0 }: Start) => {
    reset();
    const idempotencyKey = keyFor([input, labels, count]);
    if (count === 1) return one.mutate({ idempotencyKey, model, input, quote, ...labels });
    // From the key, so that a request that is sent again has the same seeds.
    const inputs = varySeed(input, parameters, count, Number.parseInt(idempotencyKey.slice(0, SEED_DIGITS), 16));
    // Rounded to nano-euros, because a product of floating-point numbers can have more digits.
    const maxCost = Number((cost * count).toFixed(9));
    several.mutate({ idempotencyKey, model, inputs, max_cost: maxCost > 0 ? maxCost : undefined, ...labels });
  };
  return {
    run: { start, reset, isPending: one.isPending || several.isPending, error: one.error ?? several.error },
    shown,
    showRun: (next: Shown) => {
      reset();
      setShown(next);
    },
  };
}
