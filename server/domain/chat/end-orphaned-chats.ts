import type { Hub } from "../../context";
import { int8Number, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { hubStopped } from "../generations/failures";
import { finishGeneration } from "../generations/finish";

const MAX_PER_STATEMENT = 200;

/**
 * Fails every running chat, which releases its hold and its idempotency key. May only be called by the sole process of
 * a hub before it starts chats itself, because then the processes of these chats have exited. Returns how many.
 */
export async function endOrphanedChats(hub: Hub): Promise<number> {
  for (let ended = 0; ;) {
    const rows = await selectRunningChats(hub.db, MAX_PER_STATEMENT);
    await Promise.all(
      rows.map(({ id }) => finishGeneration(hub, { id, from: ["running"], to: "failed", error: hubStopped })),
    );
    ended += rows.length;
    if (rows.length < MAX_PER_STATEMENT) return ended;
  }
}

const selectRunningChats = statement({
  params: [int8Number],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE is_llm AND status = 'running' ORDER BY id LIMIT $1",
});
