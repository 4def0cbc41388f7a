import { int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { RejectionsHub } from "./hub";

/** How long rejected requests are kept. */
export const REJECTED_RETENTION_DAYS = 7;
const DAY_MS = 86_400_000;

/** Deletes at most `limit` rejected requests, and as many counters, that are older than seven days. */
export async function purgeRejected(hub: RejectionsHub, limit: number): Promise<number> {
  const oldest = new Date(hub.now().getTime() - REJECTED_RETENTION_DAYS * DAY_MS);
  await deleteCounters(hub.db, oldest, limit);
  return (await deleteRequests(hub.db, oldest, limit)).length;
}

const deleteRequests = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    DELETE FROM rejected_request WHERE id IN (
      SELECT id FROM rejected_request WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id`,
});

const deleteCounters = statement({
  params: [timestamptz, int8Number],
  row: {},
  text: `
    DELETE FROM rejected_request_count WHERE (account_id, minute) IN (
      SELECT account_id, minute FROM rejected_request_count
      WHERE minute < $1 ORDER BY minute LIMIT $2 FOR UPDATE SKIP LOCKED)`,
});
