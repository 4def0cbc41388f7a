import type { Hub } from "../../context";
import { missingInputsSql } from "../references/missing";
import { dispatchQueued, type QueuedGeneration } from "./dispatch-queued";

const MAX_GENERATIONS = 500;

/** Which waiting generations to check: one, those that miss a content, those that miss outputs of these generations, or all. */
export type SupplyFilter = { id: string } | { account: number; sha256: Buffer } | { outputsOf: string[] } | "all";

/**
 * Queues and dispatches the waiting generations that no longer miss any content, and returns how many. Each is queued
 * once, even by concurrent callers. Safe to repeat: missing content is computed from the file rows, so when two contents
 * arrive at once, the later call sees both.
 */
export async function queueSupplied(hub: Hub, filter: SupplyFilter): Promise<number> {
  const { query, value } = selectQuery(filter);
  for (let queued = 0; ;) {
    const values = [hub.now(), MAX_GENERATIONS, ...(value === undefined ? [] : [value])];
    const rows = await hub.db.query<QueuedGeneration>(queueSuppliedSql[query], values);
    for (const queued of rows) dispatchQueued(hub, queued);
    queued += rows.length;
    if (rows.length < MAX_GENERATIONS) return queued;
  }
}

function selectQuery(filter: SupplyFilter): { query: keyof typeof queueSuppliedSql; value?: unknown } {
  if (filter === "all") return { query: "all" };
  if ("id" in filter) return { query: "id", value: filter.id };
  if ("outputsOf" in filter) return { query: "outputsOf", value: filter.outputsOf };
  return { query: "content", value: `${filter.account}:${filter.sha256.toString("hex")}` };
}

const buildQueueSql = (where: string) => `
  WITH supplied AS MATERIALIZED (
    SELECT g.id FROM generation g
    WHERE g.status = 'awaiting_supply' AND ${where} AND NOT EXISTS (SELECT ${missingInputsSql})
    ORDER BY g.id LIMIT $2 FOR NO KEY UPDATE
  )
  UPDATE generation g SET status = 'queued', missing = NULL, deadline_at = NULL, dispatched_at = $1
  FROM supplied WHERE g.id = supplied.id
  RETURNING g.id, g.account_id, g.provider, g.external_inputs`;

const missesAnySql = (keys: string) => `supply_keys(g.account_id, g.missing) && ARRAY(${keys})`;

const queueSuppliedSql = {
  all: buildQueueSql("true"),
  id: buildQueueSql("g.id = $3"),
  content: buildQueueSql(missesAnySql("SELECT $3::text")),
  outputsOf: buildQueueSql(
    missesAnySql(`SELECT f.account_id || ':' || encode(f.sha256, 'hex') FROM file f
            WHERE f.generation_id = ANY ($3::uuid[]) AND f.stored_at IS NOT NULL`),
  ),
};

/**
 * Queues the account's generations that waited for this content. Call it outside a transaction, once the file is visible.
 * Never throws: the sweep retries a failure.
 */
export const onFileStored = (hub: Hub, accountId: number, sha256: Buffer): Promise<void> =>
  queueOrLog(hub, { account: accountId, sha256 });

/** Queues the generations that waited for the outputs of these succeeded generations. Never throws. */
export const onOutputsStored = (hub: Hub, generationIds: string[]): Promise<void> =>
  queueOrLog(hub, { outputsOf: generationIds });

async function queueOrLog(hub: Hub, filter: SupplyFilter): Promise<void> {
  try {
    await queueSupplied(hub, filter);
  } catch (error) {
    hub.log.warn({ err: error as Error }, "supplied generations not queued; the sweep retries");
  }
}
