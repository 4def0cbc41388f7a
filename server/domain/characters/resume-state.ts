import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "../../context";
import type { Price } from "../pricing/price";
import { type Character, trainingInput } from "./character";

/** The last checkpoint and progress of a training, and the GPU seconds that it was priced for and did not use. */
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
 * Returns the state from which the character's last training can continue; null when no worker left a checkpoint, or the
 * character was changed since and the checkpoint does not match it.
 */
export async function findResumeState(ctx: Ctx, character: Character): Promise<ResumeState | null> {
  const [last] = await ctx.db.query<Row>(
    "SELECT model, input, price, gpu_ms, checkpoint, progress FROM generation WHERE id = $1",
    [character.generation_id],
  );
  const { model, input, price, gpu_ms, checkpoint, progress } = last!;
  const isUnchanged = model === character.base_model && isDeepStrictEqual(input, trainingInput(character));
  if (!isUnchanged || checkpoint === null) return null;
  return { checkpoint, progress, seconds: price.most_seconds - Math.ceil(Number(gpu_ms) / 1000) };
}
