import type { Hub } from "../../context";
import { toEuros, toEurosOrNull } from "../../lib/money";
import { serializeOutput } from "../files/serialize-file";
import type { Generation } from "./generation";

/** The members of a generation that customers see. */
export type VisibleGeneration = Pick<
  Generation,
  | "id"
  | "model"
  | "is_llm"
  | "status"
  | "input"
  | "estimated_cost"
  | "billed_cost"
  | "outputs"
  | "error"
  | "missing"
  | "created_at"
  | "started_at"
  | "completed_at"
  | "provider"
  | "batch_id"
  | "progress"
>;

/** Returns the representation of a generation in API responses and events (specification, section 2.1). */
export function serializeGeneration(hub: Hub, generation: VisibleGeneration) {
  return {
    id: generation.id,
    model: generation.model,
    is_llm: generation.is_llm,
    status: generation.status,
    input: generation.input,
    estimated_cost: toEuros(generation.estimated_cost),
    billed_cost: toEurosOrNull(generation.billed_cost),
    currency: "EUR" as const,
    outputs: generation.outputs.map((output) => serializeOutput(hub, output)),
    error: generation.error,
    missing: generation.missing,
    created_at: generation.created_at.toISOString(),
    started_at: generation.started_at?.toISOString() ?? null,
    completed_at: generation.completed_at?.toISOString() ?? null,
    provider: generation.provider,
    batch_id: generation.batch_id,
    progress: generation.progress,
  };
}
