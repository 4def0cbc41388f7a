import type { Model } from "../../../catalogue/model";
import type { Ctx } from "../../../context";
import { AppError, invalidInput } from "../../../errors";
import { newId } from "../../../lib/id";
import { type Nano, toEuros } from "../../../lib/money";
import { chooseLabels, withLabels } from "../../labels";
import { findFunds } from "../../ledger";
import { withErrorType } from "../../metrics";
import { checkInput, type Root } from "../../model-inputs";
import { getModel } from "../../models";
import { estimateCost } from "../../pricing";
import { checkCharacter, checkOutsideInputs, findFileReferences, findMissing } from "../../references";
import { chooseRoutes } from "../../routing";
import { dispatchQueued, queueSupplied } from "../queue";
import { getStoredGeneration } from "../read";
import { findReplay, type Idempotency } from "../replay";
import type { Generation } from "../row";
import type { IntakeHub } from "./hub";
import { type FacadeFields, insertWithHold, type Joinable, type NewGeneration } from "./insert-with-hold";

const HOUR_MS = 3_600_000;

/**
 * The claim of the request that waits for the generation, so that its SDK's retry can join it, and what only its route shows.
 */
type RouteFields = Partial<Pick<Joinable, "request_digest">> & Omit<FacadeFields, "facade">;

/**
 * Starts a generation and holds its estimate, or returns the finished one of the same idempotency key (specification,
 * sections 3 and 4.3). It waits for files whose hash it references and the account does not have. Throws, in this
 * order, 503 and 409 of the key, 404, 400, 422, 503 of a full storage, and 402.
 */
export async function startGeneration(
  ctx: Ctx<IntakeHub>,
  request: GenerationRequest,
  idempotency: Idempotency | null,
  fields: RouteFields = {},
): Promise<{ generation: Generation; replayed: boolean }> {
  const earlier = idempotency && (await findReplay(ctx, false, idempotency));
  if (earlier) return { generation: earlier, replayed: true };

  const generation = await buildGeneration(ctx, request, { idempotency });
  // A generation whose outputs could not be stored must not start.
  await ctx.hub.storage.checkRoom();
  const result = await insertWithHold(ctx.hub, {
    ...generation,
    ...fields,
    facade: idempotency?.facade,
    plain_version: ctx.account.plainVersion,
  });
  // A concurrent request has committed a generation with this key, so the retry finds it.
  if (result === "duplicate_key") return startGeneration(ctx, request, idempotency, fields);
  if (result === "insufficient_credits") throw await insufficientCreditsError(ctx, generation.estimated_cost);
  if (generation.status === "awaiting_supply") {
    // A file that was stored before this row was inserted has not queued it.
    await queueSupplied(ctx.hub, { id: generation.id });
    return { generation: await getStoredGeneration(ctx, generation.id), replayed: false };
  }
  dispatchQueued(ctx.hub, generation);
  return { generation, replayed: false };
}

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

/**
 * Returns a new generation of the caller with the labels of the request, which is not inserted yet. Throws 400 without an end
 * user if the key requires one.
 */
export const newGeneration = (
  ctx: Ctx<IntakeHub>,
  model: Model,
  idempotency: Idempotency | null,
  fields: NewFields,
): NewGeneration => ({
  id: newId(),
  account_id: ctx.account.id,
  key_id: ctx.actor.kind === "key" ? ctx.actor.id : null,
  person_id: ctx.actor.kind === "user" ? (ctx.actor.person?.id ?? null) : null,
  ...chooseLabels(ctx),
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
  input_tokens: null,
  output_tokens: null,
  token_classes: null,
  outputs: [],
  ...fields,
});

/** Returns the 402 error for an estimate, with the current available amount. */
export async function insufficientCreditsError(ctx: Ctx<IntakeHub>, required: Nano): Promise<AppError> {
  const { available, explanation, isSpendLimit, budget } = await findFunds(ctx);
  const error = new AppError("insufficient_credits", `This costs ${toEuros(required)} EUR, but ${explanation}.`, {
    required: toEuros(required),
    available: toEuros(available),
    budget,
  });
  return isSpendLimit ? withErrorType(error, "policy_spend_limit") : error;
}

/**
 * Starts a new generation with the model, input and labels of an earlier one, at today's price. Throws the errors of
 * `getStoredGeneration` and `startGeneration`; a chat is rejected with 400, because only its caller can send it again.
 */
export async function runAgain(ctx: Ctx<IntakeHub>, id: string): Promise<Generation> {
  const { model, input, metadata, end_user: endUser } = await getStoredGeneration(ctx, id);
  return (await startGeneration(withLabels(ctx, { metadata, endUser }), { model, input }, null)).generation;
}
