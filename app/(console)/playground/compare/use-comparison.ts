"use client";

import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { priceQuery, useQuotedPrice } from "../../../code-samples/use-price";
import { useTRPC, useTRPCClient } from "../../../trpc/client";
import { useDebouncedValue } from "../../../ui/use-debounced-value";
import { newKey } from "../../../ui/use-idempotency-key";
import { isExactPrice } from "../../models/exact-price";
import type { ModelSummary } from "../../models/types";
import { requestReply, Stopped } from "../chat/request-reply";
import type { Turn } from "../chat/turn";

/** A prompt on one model. */
export interface Entry {
  /** Its idempotency key: sent again, it is neither repeated nor charged twice. */
  key: string;
  model: ModelSummary;
  prompt: string;
  isSending: boolean;
  /** The id of its generation, once the hub has accepted it; of a chat, once it has ended. */
  id?: string;
  /** The reply of a chat, once it has ended. */
  reply?: Turn;
  /** The text of a reply so far. */
  partialText?: string;
  /** Whether the person stopped the reply. */
  isStopped?: boolean;
  error?: unknown;
}

/** Runs a prompt on several models at the same time, each with its own key. */
export function useComparison() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const fetchPrice = useQuotedPrice();
  const [entries, setEntries] = useState<Entry[]>([]);
  const update = (key: string, changes: Partial<Entry>) =>
    setEntries((all) => all.map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)));

  const stops = useRef(new Map<string, AbortController>());

  const request = async ({ key: idempotencyKey, model, prompt }: Entry): Promise<Partial<Entry>> => {
    const input = inputFor(model, prompt);
    if (!model.is_llm) {
      const price = await fetchPrice(model.id, input).catch(() => null);
      const quote = price?.quote?.id;
      const { id } = await client.playground.run.mutate({ idempotencyKey, model: model.id, input, quote });
      return { id };
    }
    const stop = new AbortController();
    stops.current.set(idempotencyKey, stop);
    const reply = await requestReply(
      { idempotencyKey, model: model.id, messages: input.messages as unknown[] },
      { stop: stop.signal, onText: (partialText) => update(idempotencyKey, { partialText }) },
    );
    return { id: reply.id, reply };
  };
  const send = async (entry: Entry) => {
    update(entry.key, { isSending: true, isStopped: false, error: undefined });
    const changes = await request(entry).catch((error: unknown) =>
      error instanceof Stopped ? { isStopped: true } : { error },
    );
    update(entry.key, { isSending: false, ...changes });
    await queries.invalidateQueries(trpc.account.get.queryFilter());
    await queries.invalidateQueries(trpc.playground.recentRuns.queryFilter());
  };
  const start = (models: ModelSummary[], prompt: string) => {
    const started = models.map((model) => ({ key: newKey(), model, prompt, isSending: true }));
    setEntries(started);
    for (const entry of started) void send(entry);
  };
  return {
    entries,
    start,
    isSending: entries.some((entry) => entry.isSending),
    sendAgain: (entry: Entry) => void send(entry),
    /** Stops the reply of a chat. */
    stop: (entry: Entry) => {
      update(entry.key, { isStopped: true });
      stops.current.get(entry.key)?.abort();
    },
  };
}

/** Returns the input of a model for this prompt. */
export const inputFor = ({ is_llm }: ModelSummary, prompt: string): Record<string, unknown> =>
  is_llm ? { messages: [{ role: "user", content: prompt }] } : { prompt };

const SAMPLE = "A lighthouse at dawn";

/** Returns the price of a prompt on each model, and the total: undefined until all are known, null if a model has none. */
export function useComparisonPrice(models: ModelSummary[], prompt: string) {
  const client = useTRPCClient();
  const settled = useDebouncedValue(prompt || SAMPLE);
  const results = useQueries({
    queries: models.map((model) => priceQuery(client, model.id, JSON.stringify(inputFor(model, settled)))),
  });
  const prices = results.map(({ data }) => data?.estimated_cost);
  const isKnown = prices.length > 0 && !prices.includes(undefined);
  const error = results.find((one) => one.error)?.error ?? null;
  return {
    prices: new Map(models.map(({ id }, index) => [id, prices[index]])),
    total: isKnown ? prices.reduce((sum = 0, one = 0) => sum + one, 0) : error ? null : undefined,
    isExact: models.every(isExactPrice),
    error,
  };
}
