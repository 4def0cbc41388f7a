import type { Hub } from "../../context";
import { dispatchQueued, type QueuedGeneration } from "../generations/dispatch-queued";
import { missingInputsSql } from "./missing";

const MOST = 500;

/** The waiting generations to look at: one, those that wait for contents, those that wait for these outputs, or all. */
export type Waiting = { id: string } | { account: number; sha256: Buffer } | { outputsOf: string[] } | "all";

/**
 * Queues those of the waiting generations that lack nothing any more, each once whoever calls, and tells the engine.
 * What is missing is read from the files themselves, so it may be repeated; of two contents that arrive at once, the
 * call of the later one sees both.
 */
export async function queueSupplied(hub: Hub, waiting: Waiting): Promise<number> {
  const { which, value } = choose(waiting);
  for (let queued = 0; ;) {
    const values = [hub.now(), MOST, ...(value === undefined ? [] : [value])];
    const rows = await hub.db.query<QueuedGeneration>(statements[which], values);
    for (const queued of rows) dispatchQueued(hub, queued);
    queued += rows.length;
    if (rows.length < MOST) return queued;
  }
}

function choose(waiting: Waiting): { which: keyof typeof statements; value?: unknown } {
  if (waiting === "all") return { which: "all" };
  if ("id" in waiting) return { which: "id", value: waiting.id };
  if ("outputsOf" in waiting) return { which: "outputsOf", value: waiting.outputsOf };
  return { which: "content", value: `${waiting.account}:${waiting.sha256.toString("hex")}` };
}

const statement = (where: string) => `
  WITH supplied AS MATERIALIZED (
    SELECT g.id FROM generation g
    WHERE g.status = 'awaiting_supply' AND ${where} AND NOT EXISTS (SELECT ${missingInputsSql})
    ORDER BY g.id LIMIT $2 FOR NO KEY UPDATE
  )
  UPDATE generation g SET status = 'queued', missing = NULL, deadline_at = NULL, nudged_at = $1
  FROM supplied WHERE g.id = supplied.id
  RETURNING g.id, g.account_id, g.provider, g.outside_inputs`;

const awaits = (keys: string) => `supply_keys(g.account_id, g.missing) && ARRAY(${keys})`;

const statements = {
  all: statement("true"),
  id: statement("g.id = $3"),
  content: statement(awaits("SELECT $3::text")),
  outputsOf: statement(
    awaits(`SELECT f.account_id || ':' || encode(f.sha256, 'hex') FROM file f
            WHERE f.generation_id = ANY ($3::uuid[]) AND f.stored_at IS NOT NULL`),
  ),
};
