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
    missing: [],
    created_at: now,
    started_at: now,
    completed_at: now,
    input_tokens: null,
    output_tokens: null,
    token_classes: null,
    provider: "sandbox",
    batch_id: null,
    metadata: null,
    end_user: null,
    progress: 1,
  });

const buildExamplePayment = () => ({ id: newId(), amount: 25, tax: 4.75, currency: "EUR", state: "paid" });

/** Returns an example of what an event carries as `data`, for the documentation. */
export function buildExampleData(hub: EnvelopesHub, event: EventName, now: Date): object {
  const { subject, example } = describeEvent(event);
  return { ...(subject === "payment" ? buildExamplePayment() : buildExampleGeneration(hub, now)), ...example };
}
