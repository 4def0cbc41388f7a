import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "../../context";
import { toEuros } from "../../lib/money";
import { float4, int8, json, jsonb, nullable, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { estimateCost, type Price } from "../pricing";
import { findModel, isWorkerModel, type WorkerModel } from "../models";
import { type Character, isResumable, trainingInput } from "./character";
import type { CharactersHub } from "./hub";

/** The last checkpoint and progress of a training, and the GPU seconds that its price covers and that it did not use. */
export interface ResumeState {
  checkpoint: unknown;
  progress: number | null;
  seconds: number;
}

/**
 * Returns the state from which the character's last training can continue; null when no worker stored a checkpoint, and when
 * the checkpoint no longer fits because the character was changed.
 */
export async function findResumeState(ctx: Ctx<CharactersHub>, character: Character): Promise<ResumeState | null> {
  const [last] = await selectTraining(ctx.hub.db, character.generation_id!);
  const { model, input, price, gpu_ms, checkpoint, progress } = last!;
  const isUnchanged = model === character.base_model && isDeepStrictEqual(input, trainingInput(character));
  if (!isUnchanged || checkpoint === null) return null;
  return { checkpoint, progress, seconds: price.most_seconds - Math.ceil(Number(gpu_ms) / 1000) };
}

const selectTraining = statement({
  params: [uuid],
  row: {
    model: text,
    input: jsonb<Record<string, unknown>>(),
    price: jsonb<Extract<Price, { by: "gpu-second" }>>(),
    gpu_ms: int8,
    checkpoint: nullable(json<unknown>()),
    progress: nullable(float4),
  },
  text: "SELECT model, input, price, gpu_ms, checkpoint, progress FROM generation WHERE id = $1",
});

/** A resumed training gets at least 1/10 of the full time, because a checkpoint may be older than the GPU time billed. */
const MIN_SHARE_DIVISOR = 10;

/**
 * Returns the fields in which a resumed training differs from a full one: its price and timeout are those of the remaining
 * work.
 */
export function remainingTraining(
  ctx: Ctx<CharactersHub>,
  model: WorkerModel,
  { checkpoint, progress, seconds }: ResumeState,
) {
  const { pricing, timeoutSeconds } = model;
  const fullSeconds = pricing.maxSeconds;
  const maxSeconds = Math.min(fullSeconds, Math.max(seconds, Math.ceil(fullSeconds / MIN_SHARE_DIVISOR)));
  const { cost, price } = estimateCost(ctx.hub, { ...model, pricing: { ...pricing, maxSeconds } }, {});
  const timeout_seconds = Math.min(timeoutSeconds, maxSeconds + Math.max(0, timeoutSeconds - fullSeconds));
  return { checkpoint, progress, estimated_cost: cost, price, timeout_seconds };
}

/**
 * Returns the amount in EUR that a resume would hold now, and the progress from which it would continue (null: from the
 * start). Returns null when nothing can be resumed or the base model is no longer offered.
 */
export async function offerResume(
  ctx: Ctx<CharactersHub>,
  character: Character,
): Promise<{ estimated_cost: number; from: number | null } | null> {
  const model = findModel(ctx, character.base_model);
  if (!isResumable(character) || !model || !isWorkerModel(model)) return null;
  const resumeState = await findResumeState(ctx, character);
  const { cost } = estimateCost(ctx.hub, model, {});
  const held = resumeState ? remainingTraining(ctx, model, resumeState).estimated_cost : cost;
  return { estimated_cost: toEuros(held), from: resumeState?.progress ?? null };
}
