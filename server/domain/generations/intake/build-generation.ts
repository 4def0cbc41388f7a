import type { Model } from "../../../catalogue/model";
import type { Ctx } from "../../../context";
import { invalidInput } from "../../../errors";
import { newId } from "../../../lib/id";
import { checkInput, type Root } from "../../model-inputs";
import { getModel } from "../../models";
import { estimateCost } from "../../pricing";
import { checkCharacter, checkOutsideInputs, findFileReferences, findMissing } from "../../references";
import { chooseRoutes } from "../../routing";
import type { Idempotency } from "../replay";
import type { Generation } from "../row";
import type { IntakeHub } from "./hub";
import type { NewGeneration } from "./insert-with-hold";

const HOUR_MS = 3_600_000;

export interface GenerationRequest {
  model: string;
  input: Record<string, unknown>;
  batch_id?: string;
}

/**
 * Builds a generation from a request: validates it, chooses its route and prices it, but holds nothing. `root` is the
 * location of its input in the request body, `input` by default. Throws, in this order, 404, 400 and 422.
 */
export async function buildGeneration(
  ctx: Ctx<IntakeHub>,
  { model: modelId, input, batch_id }: GenerationRequest,
  { idempotency, root }: { idempotency: Idempotency | null; root?: Root },
): Promise<NewGeneration> {
  const model = getModel(ctx, modelId);
  if (model.isLlm) throw invalidInput("model", "is a text model: call POST /api/v1/hub/chat/completions");
  checkInput(model, input, root);
  await checkCharacter(ctx, model, input);
  const now = ctx.hub.now();
  const references = findFileReferences(model.parametersSchema, input);
  const missing = await findMissing(ctx, references, now, root);
  const awaitsFiles = missing.length > 0;
  const [route] = chooseRoutes(ctx.hub, model, input);
  const { cost, price } = estimateCost(ctx.hub, model, input);
  const provider = route!.provider.kind;
  const generation = newGeneration(ctx, model, idempotency, {
    status: awaitsFiles ? "awaiting_supply" : "queued",
    input,
    estimated_cost: cost,
    price,
    provider,
    batch_id: batch_id ?? null,
    created_at: now,
    deadline_at: awaitsFiles ? new Date(now.getTime() + ctx.hub.env.SUPPLY_TTL_HOURS * HOUR_MS) : null,
    missing,
  });
  if (provider !== "worker") return generation;
  return { ...generation, external_inputs: checkOutsideInputs(ctx.hub, references, root) };
}

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
