import type { Hub } from "../../context";
import type { Failure } from "../../providers/provider";
import { finishGeneration } from "../generations/finish";

/** Why a chat failed whose process is gone. */
export const processLost: Failure = {
  code: "internal_error",
  message: "The hub was stopped while this ran.",
  retryable: true,
};

const MAX_PER_STATEMENT = 200;

/**
 * Ends every chat that runs, releases its hold and frees its idempotency key. Right only in a process that has begun
 * none itself and is alone: whoever ran these is gone. Returns how many.
 */
export async function endOrphanedChats(hub: Hub): Promise<number> {
  for (let ended = 0; ;) {
    const rows = await hub.db.query<{ id: string }>(
      "SELECT id FROM generation WHERE is_llm AND status = 'running' ORDER BY id LIMIT $1",
      [MAX_PER_STATEMENT],
    );
    await Promise.all(
      rows.map(({ id }) => finishGeneration(hub, { id, from: ["running"], to: "failed", error: processLost })),
    );
    ended += rows.length;
    if (rows.length < MAX_PER_STATEMENT) return ended;
  }
}
