import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { finishGeneration } from "./finish";
import type { Generation } from "./generation";
import { getStoredGeneration } from "./get";
import type { Status } from "./transitions";
import { dispatchNextQueued } from "./dispatch-queued";

/**
 * Cancels a generation that has not started: its hold is released and nothing is charged. One that runs on a worker
 * settles at once, at the GPU time used (specification, section 4.3). One that is canceled already is answered as it
 * is; any other state is 409 `generation_not_cancelable`.
 */
export async function cancelStoredGeneration(ctx: Ctx, id: string): Promise<Generation> {
  for (;;) {
    const current = await getStoredGeneration(ctx, id);
    if (current.status === "canceled") return current;
    const from: Status[] = ["queued", "awaiting_supply"];
    if (current.provider === "worker") from.push("running");
    if (!from.includes(current.status)) {
      throw new AppError(
        "generation_not_cancelable",
        `It is ${current.status}; only a generation that has not started, or runs on a worker, can be canceled.`,
      );
    }
    // A worker that takes it in this moment opens an attempt that this statement would not see: then look again.
    const canceled = await finishGeneration(ctx.hub, { id, from, to: "canceled", fence: current.fence });
    if (canceled) ctx.publish({ name: "generation/canceled", data: { id } });
    if (canceled?.was === "running") await dispatchNextQueued(ctx.hub, canceled.account_id);
  }
}
