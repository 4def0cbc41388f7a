import type { Ctx } from "../../../context";
import { AppError } from "../../../errors";
import { type Nano, toEuros } from "../../../lib/money";
import { openOwnWebhook } from "../../endpoints";
import { withLabels } from "../../labels";
import { findFunds } from "../../ledger";
import { withErrorType } from "../../metrics";
import { dispatchQueued, queueSupplied } from "../queue";
import { getStoredGeneration } from "../read";
import { findReplay, type Idempotency } from "../replay";
import type { Generation } from "../row";
import { buildGeneration, type GenerationRequest } from "./build";
import type { IntakeHub } from "./hub";
import { insertWithHold } from "./insert-with-hold";
import type { FacadeFields, Joinable } from "./new-generation";

/**
 * The claim of the request that waits for the generation, so that its SDK's retry can join it, and what only its route shows.
 */
type RouteFields = Partial<Pick<Joinable, "request_digest">> & Omit<FacadeFields, "facade">;

/**
 * Starts a generation and holds its estimate, or returns the finished one of the same idempotency key (specification,
 * sections 3 and 4.3). It waits for files whose hash it references and the account does not have. Throws, in this
 * order, 503 and 409 of the key, 404, 400, 409 of the quote, 422, 400 of the webhook, 503 of a full storage, and 402.
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
  if (request.webhook) generation.webhook = await openOwnWebhook(ctx, request.webhook);
  // A generation whose outputs could not be stored must not start.
  await ctx.hub.storage.checkRoom();
  const result = await insertWithHold(ctx.hub, {
    ...generation,
    ...fields,
    facade: idempotency?.facade,
    limits: ctx.account.limits,
  });
  // A concurrent request has committed a generation with this key, so the retry finds it.
  if (result === "duplicate_key") return startGeneration(ctx, request, idempotency, fields);
  if (result === "insufficient_credits") {
    // A concurrent request with this key may hold what was available, and a repeated request never gets a 402.
    const concurrent = idempotency && (await findReplay(ctx, false, idempotency));
    if (concurrent) return { generation: concurrent, replayed: true };
    throw await insufficientCreditsError(ctx, generation.estimated_cost);
  }
  if (generation.status === "awaiting_supply") {
    // A file that was stored before this row was inserted has not queued it.
    await queueSupplied(ctx.hub, { id: generation.id });
    return { generation: await getStoredGeneration(ctx, generation.id), replayed: false };
  }
  dispatchQueued(ctx.hub, generation);
  return { generation, replayed: false };
}

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
 * `getStoredGeneration` and `startGeneration`; a chat is rejected with 400, because only its caller can send it again,
 * and one whose content was erased with 409.
 */
export async function runAgain(ctx: Ctx<IntakeHub>, id: string): Promise<Generation> {
  const { model, input, metadata, end_user: endUser, erased_at } = await getStoredGeneration(ctx, id);
  if (erased_at) throw new AppError("invalid_state", "Its input was erased.");
  return (await startGeneration(withLabels(ctx, { metadata, endUser }), { model, input }, null)).generation;
}
