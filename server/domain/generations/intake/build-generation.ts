import type { Ctx } from "../../../context";
import { invalidInput } from "../../../errors";
import { checkCharacter, checkOutsideInputs, findFileReferences, findMissing } from "../../references";
import { checkInput, type Root } from "../../model-inputs";
import { getModel } from "../../models";
import { estimateCost } from "../../pricing";
import { chooseRoutes } from "../../routing";
import type { Idempotency } from "../replay";
import type { IntakeHub } from "./hub";
import type { NewGeneration } from "./insert-generations";
import { newGeneration } from "./new-generation";

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
