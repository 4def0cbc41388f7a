import type { Hub } from "../../context";
import type { Failure } from "../../providers/provider";
import { finishGeneration } from "../generations/finish";

const MOST = 1_000;
const late: Failure = {
  code: "supply_timeout",
  message: "Content that it names was not uploaded in time. Upload what is missing, and send it again.",
  retryable: true,
};

/** Fails generations that have waited for content longer than they may; their holds are released. Answers how many. */
export async function failSupplyTimedOut(hub: Hub): Promise<number> {
  const rows = await hub.db.query<{ id: string }>(
    "SELECT id FROM generation WHERE status = 'awaiting_supply' AND deadline_at <= $1 ORDER BY id LIMIT $2",
    [hub.now(), MOST],
  );
  const ended = await Promise.all(
    rows.map(({ id }) => finishGeneration(hub, { id, from: ["awaiting_supply"], to: "failed", error: late })),
  );
  return ended.filter(Boolean).length;
}
