import { array, int4, int8Number, jsonb, nullable, text, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { awaitsInputsSql } from "../../input-files/sql";
import { missingInputsSql } from "../../references/sql";
import { dispatchQueued, type QueuedGeneration } from "./dispatch-queued";
import type { QueueHub } from "./hub";

const MAX_GENERATIONS = 500;

/**
 * Which waiting generations to check: one, those of a batch, those that miss a content, those that miss outputs of these
 * generations, or all.
 */
type SupplyFilter =
  | { id: string }
  | { account: number; batch: string }
  | { account: number; sha256: Buffer }
  | { outputsOf: string[] }
  | "all";

/**
 * Queues and dispatches the waiting generations that no longer miss any content, and returns how many. Each is queued
 * once, even by concurrent callers. Safe to repeat: missing content is computed from the file rows, so when two contents
 * arrive at once, the later call sees both.
 */
export async function queueSupplied(hub: QueueHub, filter: SupplyFilter): Promise<number> {
  const queueChunk = chooseStatement(hub, filter);
  for (let queued = 0; ;) {
    const rows = await queueChunk(hub.now());
    for (const queued of rows) dispatchQueued(hub, queued);
    queued += rows.length;
    if (rows.length < MAX_GENERATIONS) return queued;
  }
}

/** Returns a function that queues up to `MAX_GENERATIONS` of the generations that the filter selects. */
function chooseStatement({ db }: QueueHub, filter: SupplyFilter): (now: Date) => Promise<QueuedGeneration[]> {
  if (filter === "all") return (now) => queueAny(db, now, MAX_GENERATIONS);
  if ("id" in filter) return (now) => queueOne(db, now, MAX_GENERATIONS, filter.id);
  if ("batch" in filter) return (now) => queueBatch(db, now, MAX_GENERATIONS, filter.account, filter.batch);
  if ("outputsOf" in filter) return (now) => queueForOutputs(db, now, MAX_GENERATIONS, filter.outputsOf);
  const key = `${filter.account}:${filter.sha256.toString("hex")}`;
  return (now) => queueForContent(db, now, MAX_GENERATIONS, key);
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

const row = { id: uuid, account_id: int4, provider: text, external_inputs: nullable(jsonb<string[]>()) };

const queueAny = statement({ params: [timestamptz, int8Number], row, text: buildQueueSql("true") });

const queueOne = statement({ params: [timestamptz, int8Number, uuid], row, text: buildQueueSql("g.id = $3") });

const queueBatch = statement({
  params: [timestamptz, int8Number, int4, uuid],
  row,
  text: buildQueueSql("g.account_id = $3 AND g.batch_id = $4"),
});

const queueForContent = statement({
  params: [timestamptz, int8Number, text],
  row,
  text: buildQueueSql(missesAnySql("SELECT $3::text")),
});

const queueForOutputs = statement({
  params: [timestamptz, int8Number, array(uuid)],
  row,
  text: buildQueueSql(
    missesAnySql(`SELECT f.account_id || ':' || encode(f.sha256, 'hex') FROM file f
            WHERE f.generation_id = ANY ($3::uuid[]) AND f.stored_at IS NOT NULL`),
  ),
});

/**
 * Queues the account's generations that waited for this content. Call it outside a transaction, once the file is visible.
 * Never throws: the sweep retries a failure.
 */
export const onFileStored = (hub: QueueHub, accountId: number, sha256: Buffer): Promise<void> =>
  queueOrLog(hub, { account: accountId, sha256 });

/** Queues the generations that waited for the outputs of these succeeded generations. Never throws. */
export const onOutputsStored = (hub: QueueHub, generationIds: string[]): Promise<void> =>
  queueOrLog(hub, { outputsOf: generationIds });

async function queueOrLog(hub: QueueHub, filter: SupplyFilter): Promise<void> {
  try {
    await queueSupplied(hub, filter);
  } catch (error) {
    hub.log.warn({ err: error as Error }, "supplied generations not queued; the sweep retries");
  }
}

/** Marks a queued generation as ready for workers if all of its external inputs are copied. */
export const markInputsReady = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `
  UPDATE generation g SET inputs_ready_at = $2 WHERE g.id = $1 AND ${awaitsInputsSql}
    AND (SELECT count(*) FROM input_copy c WHERE c.generation_id = g.id AND c.stored_at IS NOT NULL)
        = jsonb_array_length(g.external_inputs)`,
});
