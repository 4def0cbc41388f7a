import type { Ctx } from "../../context";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { type Nano, toEuros } from "../../lib/money";
import { findFunds } from "../ledger/find-funds";
import { checkInput } from "../models/check-input";
import { getModel } from "../models/get";
import { estimate } from "../pricing/estimate";
import { chooseRoutes } from "../routing/choose";
import { findMissing } from "../supply/find-missing";
import { namedFiles } from "../supply/named-files";
import { queueSupplied } from "../supply/queue-supplied";
import { accept } from "./accept";
import { findReplay, type Idempotency } from "./find-replay";
import type { Generation } from "./generation";
import { get } from "./get";

const HOUR_MS = 3_600_000;

export interface GenerationRequest {
  model: string;
  input: Record<string, unknown>;
  batch_id?: string;
}

/**
 * Accepts a generation and holds its estimate, or answers the finished one of the same idempotency key
 * (specification, sections 3 and 4.3). One that names content by a hash that the account does not hold waits for it.
 * Errors in this order: 503 and 409 of the key, 404, 400, 422, 402.
 */
export async function start(
  ctx: Ctx,
  request: GenerationRequest,
  idempotency: Idempotency | null,
): Promise<{ generation: Generation; replayed: boolean }> {
  const earlier = idempotency && (await findReplay(ctx, false, idempotency));
  if (earlier) return { generation: earlier, replayed: true };

  const generation = await draft(ctx, request, idempotency);
  const verdict = await accept(ctx.hub, generation);
  // The other claimant has committed, so that this time it is found.
  if (verdict === "claimed") return start(ctx, request, idempotency);
  if (verdict === "uncovered") throw await uncovered(ctx, generation.estimated_cost);
  if (generation.status === "awaiting_supply") {
    // What arrived before its row was there did not find it.
    await queueSupplied(ctx.hub, { id: generation.id });
    return { generation: await get(ctx, generation.id), replayed: false };
  }
  // A worker fetches its jobs; the statement itself has told those that wait.
  if (generation.provider !== "worker")
    ctx.publish({ name: "generation/queued", data: { id: generation.id, account: ctx.account.id } });
  return { generation, replayed: false };
}

async function draft(
  ctx: Ctx,
  { model: modelId, input, batch_id }: GenerationRequest,
  idempotency: Idempotency | null,
): Promise<Generation> {
  const model = getModel(ctx, modelId);
  if (model.isLlm) throw invalidInput("model", "is a text model: call POST /api/v1/hub/chat/completions");
  checkInput(model, input);
  const now = ctx.now();
  const missing = await findMissing(ctx, namedFiles(model.parametersSchema, input), now);
  const awaits = missing.length > 0;
  const [route] = chooseRoutes(ctx, model, input);
  const { cost, price } = estimate(ctx, model, input);
  return {
    id: newId(),
    account_id: ctx.account.id,
    key_id: ctx.actor.kind === "key" ? ctx.actor.id : null,
    model: model.id,
    is_llm: false,
    status: awaits ? "awaiting_supply" : "queued",
    input,
    estimated_cost: cost,
    billed_cost: null,
    price,
    provider: route!.provider.kind,
    batch_id: batch_id ?? null,
    idempotency_key: idempotency?.key ?? null,
    fingerprint: idempotency?.fingerprint ?? null,
    progress: null,
    error: null,
    run_id: null,
    timeout_seconds: model.timeoutSeconds,
    created_at: now,
    started_at: null,
    deadline_at: awaits ? new Date(now.getTime() + ctx.env.SUPPLY_TTL_HOURS * HOUR_MS) : null,
    completed_at: null,
    outputs: [],
    missing,
  };
}

async function uncovered(ctx: Ctx, required: Nano): Promise<AppError> {
  const { available, says } = await findFunds(ctx);
  return new AppError("insufficient_credits", `This needs ${toEuros(required)} EUR; ${says}.`, {
    required: toEuros(required),
    available: toEuros(available),
  });
}
