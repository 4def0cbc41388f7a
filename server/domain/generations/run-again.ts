import type { Ctx } from "../../context";
import type { Generation } from "./generation";
import { getStoredGeneration } from "./get";
import { startGeneration } from "./start";

/**
 * Starts the account's generation once more: the same model and input, at today's price, as a record of its own.
 * Errors as `get` and `start`; a chat is 400, because only its caller can ask it again.
 */
export async function runAgain(ctx: Ctx, id: string): Promise<Generation> {
  const { model, input } = await getStoredGeneration(ctx, id);
  return (await startGeneration(ctx, { model, input }, null)).generation;
}
