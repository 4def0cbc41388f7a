import type { Model } from "../../../catalogue/model";
import type { Ctx } from "../../../context";
import { newId } from "../../../lib/id";
import type { Idempotency } from "../replay";
import type { Generation } from "../row";
import type { IntakeHub } from "./hub";

/** The fields in which new generations differ; the optional ones are null by default. */
type NewFields = Pick<
  Generation,
  "status" | "input" | "estimated_cost" | "price" | "provider" | "missing" | "created_at"
> &
  Partial<Pick<Generation, "batch_id" | "started_at" | "deadline_at">>;

/** Returns a new generation of the caller, which is not inserted yet. */
export const newGeneration = (
  { account, actor }: Ctx<IntakeHub>,
  model: Model,
  idempotency: Idempotency | null,
  fields: NewFields,
): Generation => ({
  id: newId(),
  account_id: account.id,
  key_id: actor.kind === "key" ? actor.id : null,
  model: model.id,
  is_llm: model.isLlm,
  billed_cost: null,
  batch_id: null,
  idempotency_key: idempotency?.key ?? null,
  fingerprint: idempotency?.fingerprint ?? null,
  progress: null,
  error: null,
  run_id: null,
  timeout_seconds: model.timeoutSeconds,
  started_at: null,
  deadline_at: null,
  completed_at: null,
  outputs: [],
  ...fields,
});
