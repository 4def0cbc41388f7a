import type { Ctx } from "../../../context";
import { array, int4, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { AppError } from "../../../errors";
import { finishGeneration } from "./finish";
import type { Generation, Status } from "../row";
import { getStoredGeneration } from "../read";
import { dispatchNextQueued } from "../queue";
import type { EndHub } from "./hub";
import { stopRunning } from "./stop-running";

interface CancelOptions {
  /** Whether a generation that runs at a provider is to be stopped there. */
  stopRunning?: boolean;
}

/**
 * Cancels a generation that has not started, which releases its hold without a charge, or one that runs on a worker,
 * which is charged for the GPU time used (specification, section 4.3); if asked to, also one that runs at a provider, like
 * `stopRunning`. Returns a canceled generation unchanged; throws 409 `generation_not_cancelable` in any other state.
 */
export async function cancelStoredGeneration(
  ctx: Ctx<EndHub>,
  id: string,
  options: CancelOptions = {},
): Promise<Generation> {
  for (;;) {
    const current = await getStoredGeneration(ctx, id);
    if (current.status === "canceled") return current;
    if (options.stopRunning && isAtProvider(current)) {
      await stopRunning(ctx.hub, current.id);
      continue;
    }
    const from: Status[] = ["queued", "awaiting_supply"];
    if (current.provider === "worker") from.push("running");
    if (!from.includes(current.status)) throw notCancelable(current);
    // The fence makes this fail if a worker claims the generation concurrently, because the statement would not see the
    // attempt that the worker opens. The loop then reads the generation again.
    const canceled = await finishGeneration(ctx.hub, { id, from, to: "canceled", fence: current.fence });
    if (canceled) ctx.hub.publish({ name: "generation/canceled", data: { id } });
    if (canceled?.was === "running") await dispatchNextQueued(ctx.hub, canceled.account_id);
  }
}

/**
 * Cancels the generations of a request that is rejected as a whole, as far as they can be. A repeat of the request does not find
 * the canceled ones: neither by its idempotency key, which a rejected request does not use up, nor by its digest.
 */
export async function withdrawGenerations(ctx: Ctx<EndHub>, ids: string[]): Promise<void> {
  // A generation that is already running may continue; its files are then stored in the account.
  await Promise.allSettled(ids.map((id) => cancelStoredGeneration(ctx, id)));
  await forgetRequest(ctx.hub.db, ctx.account.id, ids);
}

const forgetRequest = statement({
  params: [int4, array(uuid)],
  row: {},
  text: `
    UPDATE generation SET idempotency_key = NULL, fingerprint = NULL, joinable_at = NULL, request_digest = NULL
    WHERE account_id = $1 AND id = ANY ($2) AND status = 'canceled'`,
});

const isAtProvider = ({ status, provider, is_llm }: Generation): boolean =>
  status === "running" && provider !== "worker" && !is_llm;

function notCancelable(current: Generation): AppError {
  const { status, is_llm } = current;
  const remedy = isAtProvider(current) ? " Send `stop_running: true` to ask its provider to stop it." : "";
  return new AppError(
    "generation_not_cancelable",
    status === "running" && is_llm
      ? "It is a running chat: close the connection that waits for it to stop it."
      : `It is ${status}; only a generation that has not started, or runs on a worker, can be canceled.${remedy}`,
  );
}
