import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "../../context";
import type { Price } from "../pricing/price";
import { type Character, trainingInput } from "./character";

/** Where the last training stood, and the GPU time that it was priced for and did not use. */
export interface ResumeState {
  checkpoint: unknown;
  progress: number | null;
  seconds: number;
}

interface Row {
  model: string;
  input: Record<string, unknown>;
  price: Extract<Price, { by: "gpu-second" }>;
  gpu_ms: bigint;
  checkpoint: unknown;
  progress: number | null;
}

/**
 * What is left of the character's last training; null when there is nothing to go on from: no worker left a checkpoint,
 * or the character was changed since, so that it would be one of something else.
 */
export async function findResumeState(ctx: Ctx, character: Character): Promise<ResumeState | null> {
  const [last] = await ctx.db.query<Row>(
    "SELECT model, input, price, gpu_ms, checkpoint, progress FROM generation WHERE id = $1",
    [character.generation_id],
  );
  const { model, input, price, gpu_ms, checkpoint, progress } = last!;
  const same = model === character.base_model && isDeepStrictEqual(input, trainingInput(character));
  if (!same || checkpoint === null) return null;
  return { checkpoint, progress, seconds: price.most_seconds - Math.ceil(Number(gpu_ms) / 1000) };
}
