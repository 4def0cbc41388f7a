import type { Ctx } from "../../context";
import { bytea, int4, int8, jsonbText, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, idempotencyConflict, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { matchesFingerprint } from "../../lib/keyed-fingerprint";
import { toEuros, type Nano } from "../../lib/money";
import { createPacer } from "../../lib/pace";
import { openOwnWebhook, type OwnWebhook } from "../endpoints";
import {
  buildGenerations,
  type GenerationRequest,
  insertTogether,
  insufficientCreditsError,
  type NewGeneration,
} from "../generations/intake";
import { dispatchQueued, queueSupplied } from "../generations/queue";
import type { Idempotency } from "../generations/replay";
import { type Batch, getBatch, serializeBatch } from "./batch";
import type { BatchesHub } from "./hub";
import { checkInputSize } from "./input-size";

export const MAX_INPUTS = 1_000;

export interface BatchRequest extends Pick<GenerationRequest, "model" | "priority" | "webhook"> {
  inputs: Record<string, unknown>[];
  /** The maximum cost of the whole batch. */
  maxCost?: Nano;
}

/**
 * Starts a batch: inserts its generations, each with a hold of its own, all or none (contract, Jobs). With an idempotency key
 * that was used, returns the completed batch. Throws, in this order, 503 and 409 of the key, 404, 400, 422, 503 of a full
 * storage, and 402.
 */
export async function createBatch(
  ctx: Ctx<BatchesHub>,
  request: BatchRequest,
  idempotency: Idempotency | null,
): Promise<{ batch: Batch; replayed: boolean }> {
  const earlier = idempotency && (await findEarlier(ctx, idempotency));
  if (earlier) return { batch: earlier, replayed: true };

  const id = newId();
  const { generations, cost } = await buildBatch(ctx, id, request);
  const webhook = await openWebhook(ctx, generations, request.webhook);
  // A generation whose outputs could not be stored must not start.
  await ctx.hub.storage.checkRoom();
  const { hub, account } = ctx;
  const { key_id, created_at, model } = generations[0]!;
  const { key = null, fingerprint = null } = idempotency ?? {};
  const result = await insertTogether(hub, generations, (tx) =>
    insertBatch(
      tx,
      id,
      account.id,
      key_id,
      model,
      generations.length,
      cost,
      key,
      fingerprint,
      webhook && JSON.stringify(webhook),
      created_at,
    ),
  );
  // A concurrent request has committed a batch with this key, so the retry finds it.
  if (result === "duplicate_key") return createBatch(ctx, request, idempotency);
  if (result === "insufficient_credits") {
    // A concurrent request with this key may hold what was available, and a repeated request never gets a 402.
    const concurrent = idempotency && (await findEarlier(ctx, idempotency));
    if (concurrent) return { batch: concurrent, replayed: true };
    throw await insufficientCreditsError(ctx, cost);
  }
  await dispatchBatch(ctx, id, generations);
  return { batch: await getBatch(ctx, id), replayed: false };
}

/** Dispatches the generations of a batch that are queued, or are so now because their files have arrived. */
async function dispatchBatch({ hub, account }: Ctx<BatchesHub>, id: string, generations: NewGeneration[]) {
  for (const generation of generations) if (generation.status === "queued") dispatchQueued(hub, generation);
  // A file that was stored after the check but before the insert did not queue these rows.
  if (generations.some(({ status }) => status === "awaiting_supply"))
    await queueSupplied(hub, { account: account.id, batch: id });
}

/** Returns the webhook of a batch for its row. Its generations get it too, if it subscribes to their events. */
async function openWebhook(
  ctx: Ctx<BatchesHub>,
  generations: NewGeneration[],
  request: BatchRequest["webhook"],
): Promise<OwnWebhook | null> {
  if (!request) return null;
  const webhook = await openOwnWebhook(ctx, { events: ["batch.completed"], ...request });
  const events = webhook.events.filter((name) => name !== "batch.completed");
  if (events.length > 0) for (const generation of generations) generation.webhook = { ...webhook, events };
  return webhook;
}

/** Returns the generations of a batch, which are not inserted yet, and the sum of their estimates. */
async function buildBatch(ctx: Ctx<BatchesHub>, id: string, { model, inputs, priority, maxCost }: BatchRequest) {
  const pause = createPacer();
  for (const [n, input] of inputs.entries()) {
    await pause();
    checkInputSize(input, `inputs.${n}`);
  }
  const generations = await buildGenerations(ctx, { model, inputs, priority, batch_id: id });
  const cost = generations.reduce((sum, { estimated_cost }) => sum + estimated_cost, 0n);
  if (maxCost !== undefined && cost > maxCost) throw invalidInput("max_cost", `the estimate is ${toEuros(cost)} EUR`);
  return { generations, cost };
}

const insertBatch = statement({
  params: [
    uuid,
    int4,
    nullable(uuid),
    text,
    int4,
    int8,
    nullable(text),
    nullable(bytea),
    nullable(jsonbText),
    timestamptz,
  ],
  row: {},
  text: `
    INSERT INTO batch (id, account_id, key_id, model, size, estimated_cost, idempotency_key, fingerprint, webhook, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
});

/**
 * Returns the completed batch of this idempotency key, or null when the key is free. Throws 409 `idempotency_conflict` when
 * its body was different, and 503 `generation_in_progress` while one of its generations has not ended.
 */
async function findEarlier(ctx: Ctx<BatchesHub>, { key, fingerprint }: Idempotency): Promise<Batch | null> {
  const [earlier] = await selectByKey(ctx.hub.db, ctx.account.id, key);
  if (!earlier) return null;
  if (!matchesFingerprint(ctx.hub, earlier.fingerprint, fingerprint)) throw idempotencyConflict();
  const batch = await getBatch(ctx, earlier.id);
  if (batch.completed_at) return batch;
  const { status } = serializeBatch(batch);
  throw new AppError(
    "generation_in_progress",
    `Batch ${batch.id} of this Idempotency-Key is ${status}.`,
    { batch_id: batch.id },
    { "Retry-After": "2", Location: `/api/v1/hub/batches/${batch.id}` },
  );
}

const selectByKey = statement({
  params: [int4, text],
  row: { id: uuid, fingerprint: nullable(bytea) },
  text: "SELECT id, fingerprint FROM batch WHERE account_id = $1 AND idempotency_key = $2",
});
