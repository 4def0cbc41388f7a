import type { Hub } from "../../context";
import { awaitsInputsSql } from "./input-copy";

const STALE_AFTER_MS = 60_000;
const MAX_GENERATIONS = 200;

/**
 * Dispatches the fetch event again for generations that wait for external inputs, and returns how many: those dispatched
 * more than a minute ago, or `all` after a start. Duplicate events are harmless.
 */
export async function redispatchFetches(hub: Hub, all: boolean): Promise<number> {
  const now = hub.now();
  const before = all ? now : new Date(now.getTime() - STALE_AFTER_MS);
  const rows = await hub.db.query<{ id: string; account_id: number }>(redispatchSql, [now, before, MAX_GENERATIONS]);
  for (const { id, account_id } of rows) hub.publish({ name: "generation/inputs", data: { id, account: account_id } });
  return rows.length;
}

const redispatchSql = `
  UPDATE generation SET dispatched_at = $1 WHERE id IN (
    SELECT g.id FROM generation g WHERE ${awaitsInputsSql} AND g.dispatched_at <= $2
    ORDER BY g.dispatched_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id, account_id`;
