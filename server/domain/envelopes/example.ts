import { newId } from "../../lib/id";
import { describeEvent, type EventName } from "../events";
import { serializeGeneration } from "../generations/read";
import type { EnvelopesHub } from "./hub";

/** Returns the example of an event's generation, for test events and the documentation. It is not stored. */
export const buildExampleGeneration = (hub: EnvelopesHub, now: Date) =>
  serializeGeneration(hub, {
    id: newId(),
    model: "sandbox-image",
    is_llm: false,
    status: "succeeded",
    input: { prompt: "a test of your webhook" },
    estimated_cost: 9_200_000n,
    billed_cost: 9_200_000n,
    outputs: [],
    error: null,
    erased_at: null,
    missing: [],
    created_at: now,
    started_at: now,
    completed_at: now,
    input_tokens: null,
    output_tokens: null,
    token_classes: null,
    provider: "sandbox",
    batch_id: null,
    priority: 0,
    metadata: null,
    end_user: null,
    progress: 1,
  });

const alertHead = (now: Date) => ({
  account: { email: "team@example.com", name: "Studio Nord" },
  at: now.toISOString(),
});

const buildExample: Record<ReturnType<typeof describeEvent>["subject"], (hub: EnvelopesHub, now: Date) => object> = {
  generation: buildExampleGeneration,
  batch: (_, now) => ({
    id: newId(),
    model: "sandbox-image",
    status: "completed",
    counts: { queued: 0, running: 0, awaiting_supply: 0, succeeded: 99, failed: 1, canceled: 0 },
    estimated_cost: 0.92,
    billed_cost: 0.9108,
    currency: "EUR",
    created_at: now.toISOString(),
    completed_at: now.toISOString(),
  }),
  payment: () => ({ id: newId(), amount: 25, tax: 4.75, currency: "EUR", state: "paid" }),
  balance: (_, now) => ({ ...alertHead(now), balance: 4.2, available: 3.9, threshold: 10 }),
  key: (_, now) => ({
    ...alertHead(now),
    key: { id: newId(), name: "Website" },
    spend_limit: 50,
    spent: 50,
    resets_at: null,
  }),
  budget: (_, now) => ({
    ...alertHead(now),
    budget: { id: newId(), name: "Team blue" },
    threshold: 80,
    amount: 50,
    spent: 40.2,
    end_user: null,
    resets_at: null,
  }),
  webhook: (_, now) => ({
    ...alertHead(now),
    webhook: { id: newId(), url: "https://example.com/hooks/hub" },
    status: 500,
    error: null,
    erased_at: null,
  }),
};

/** Returns an example of what an event carries as `data`, for the documentation. */
export function buildExampleData(hub: EnvelopesHub, event: EventName, now: Date): object {
  const { subject, example } = describeEvent(event);
  return { ...buildExample[subject](hub, now), ...example };
}
