import type { Hub } from "../../context";
import { newId } from "../../lib/id";
import { serializeGeneration } from "../generations/serialize-generation";

/** A generation as an event carries it, of which there is no record: for a test, and to show what is sent. */
export const buildExampleGeneration = (hub: Hub, now: Date) =>
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
    provider: "sandbox",
    batch_id: null,
    progress: 1,
  });
