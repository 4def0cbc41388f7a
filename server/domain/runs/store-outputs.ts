import type { Hub } from "../../context";
import { isAppError } from "../../errors";
import type { JobState } from "../../providers/provider";
import { storeOutput } from "../files/store-output";
import type { AttemptEnd } from "../generations/attempts";
import { outputTooLarge } from "../generations/failures";
import type { Generation } from "../generations/generation";
import type { NextAction } from "./next-action";

/**
 * Stores a provider's outputs, which become visible with the generation's success. Throws when the storage is
 * unavailable.
 */
export async function storeOutputs(
  hub: Hub,
  { id, account_id }: Generation,
  state: Extract<JobState, { state: "succeeded" }>,
): Promise<NextAction> {
  const attempt: AttemptEnd = {
    outcome: "succeeded",
    upstreamStatus: state.upstreamStatus,
    cost: state.cost?.toString(),
  };
  try {
    for (const [index, output] of state.outputs.entries()) {
      await storeOutput(hub, { generationId: id, accountId: account_id, index }, output);
    }
  } catch (error) {
    if (!isAppError(error) || error.code !== "payload_too_large") throw error;
    return { next: "fail", error: outputTooLarge, attempt: { ...attempt, outcome: "failed" } };
  }
  return { next: "succeed", outputs: state.outputs.length, attempt };
}
