import type { HubParts } from "../../context";
import { cutText } from "../../lib/cut-text";
import { createDeferredWrite } from "../../lib/deferred-write";
import { newId } from "../../lib/id";
import { int8Number, jsonText, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { ERASED_MESSAGE } from "../../errors";
import type { RejectionsHub } from "./hub";

/** How many rejected requests of an account all processes together store in a minute. */
export const MAX_STORED_PER_MINUTE = 30;
const DAY_MS = 86_400_000;
const FLUSH_DELAY_MS = 1_000;
const MINUTE_MS = 60_000;
const MAX_WAITING = 1_000;
const MAX_COUNTERS = 10_000;
const MAX_PATH_LENGTH = 300;
const MAX_MESSAGE_LENGTH = 500;

/** A request that was answered with an error. */
interface Rejection {
  accountId: number;
  keyId: string;
  requestId: string;
  method: string;
  path: string;
  status: number;
  code: string;
  message: string;
  /** The budget that did not cover it. */
  budgetId?: string;
  /** The generation that it had made before it failed. */
  generationId?: string;
}

/** How many requests of an account were rejected in one minute. */
interface Counter {
  accountId: number;
  minute: number;
  /** How many of them this process has kept for the database. */
  kept: number;
  /** How many it has kept since the last write. */
  offered: number;
  dropped: number;
}

interface RejectionLog {
  /** Keeps a rejected request for the next write. Never throws. */
  record: (rejection: Rejection) => void;
  /** Writes what was recorded. Never throws. */
  flush: () => Promise<void>;
}

/** The services for rejections that the requests of one process share. */
export interface RejectionServices {
  /** Records REST requests that were answered with an error. */
  rejectionLog: RejectionLog;
}

type LogParts = Pick<HubParts, "db" | "log" | "now">;

/** Returns the services of rejections. */
export const createRejectionServices = (hub: LogParts): RejectionServices => ({
  rejectionLog: createRejectionLog(hub),
});

/**
 * Returns the process's log of rejected requests. It writes in the background, at most once a second, and stores a bounded
 * number of rows per account and minute; the others are only counted.
 */
function createRejectionLog(hub: LogParts): RejectionLog {
  const counters = new Map<string, Counter>();
  let waiting: ReturnType<typeof toRow>[] = [];

  const write = async () => {
    const rows = waiting;
    const counts = takeCounts(counters, hub.now());
    waiting = [];
    if (counts.length === 0) return;
    await insertRejections(hub.db, JSON.stringify(rows), JSON.stringify(counts)).catch((error: unknown) =>
      hub.log.warn({ err: error, rows: rows.length }, "rejected requests could not be stored"),
    );
  };
  const { schedule, flush } = createDeferredWrite(write, FLUSH_DELAY_MS);

  const record = (rejection: Rejection) => {
    const now = hub.now();
    const counter = findCounter(counters, rejection.accountId, now);
    if (!counter) return;
    if (counter.kept < MAX_STORED_PER_MINUTE && waiting.length < MAX_WAITING) {
      counter.kept += 1;
      counter.offered += 1;
      waiting.push(toRow(rejection, now, counter.minute));
    } else counter.dropped += 1;
    schedule();
  };
  return { record, flush };
}

/** Returns the counter of an account for this minute; null if there are too many counters. */
function findCounter(counters: Map<string, Counter>, accountId: number, now: Date): Counter | null {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const name = `${accountId} ${minute}`;
  const known = counters.get(name);
  if (known) return known;
  if (counters.size >= MAX_COUNTERS) return null;
  const counter = { accountId, minute, kept: 0, offered: 0, dropped: 0 };
  counters.set(name, counter);
  return counter;
}

/** Returns and resets the counts since the last write, and removes the counters of past minutes. */
function takeCounts(counters: Map<string, Counter>, now: Date) {
  const counts = [];
  for (const [name, counter] of counters) {
    const { accountId, minute, offered, dropped } = counter;
    if (offered + dropped > 0) counts.push({ account_id: accountId, minute: new Date(minute), offered, dropped });
    if (minute + MINUTE_MS <= now.getTime()) counters.delete(name);
    else Object.assign(counter, { offered: 0, dropped: 0 });
  }
  return counts;
}

const toRow = (
  { accountId, keyId, requestId, path, message, budgetId, generationId, ...rest }: Rejection,
  now: Date,
  minute: number,
) => ({
  ...rest,
  id: newId(),
  account_id: accountId,
  key_id: keyId,
  budget_id: budgetId,
  generation_id: generationId,
  created_at: now,
  minute: new Date(minute),
  request_id: requestId,
  path: toStorable(path, MAX_PATH_LENGTH),
  message: toStorable(message, MAX_MESSAGE_LENGTH),
});

// A message may quote what the client sent, which Postgres cannot always store.
const toStorable = (text: string, maxLength: number) => cutText(text, maxLength).replaceAll("\0", "").toWellFormed();

/**
 * Inserts the rejected requests `$1` and adds the counts `$2` of their minutes. Only the first requests of an account in a
 * minute are stored; the row lock of the counter decides between processes. The accounts are locked in the order of their
 * ids, as in all statements that change accounts, after the generations, whose erasure may be under way or have ended before.
 */
export const insertRejections = statement({
  params: [jsonText, jsonText],
  row: { id: uuid },
  text: `
    WITH rejection AS (
      SELECT *, row_number() OVER (PARTITION BY account_id, minute ORDER BY created_at, id) AS n
      FROM json_to_recordset($1::json) AS row (
        id uuid, account_id int, key_id uuid, created_at timestamptz, minute timestamptz, request_id text, method text,
        path text, status int, code text, message text, budget_id uuid, generation_id uuid)
    ),
    addition AS (
      SELECT * FROM json_to_recordset($2::json) AS row (account_id int, minute timestamptz, offered int, dropped int)
    ),
    failed AS MATERIALIZED (
      SELECT id, erased_at FROM generation WHERE id IN (SELECT generation_id FROM rejection) ORDER BY id FOR SHARE
    ),
    referred AS MATERIALIZED (
      SELECT id FROM account WHERE id IN (SELECT account_id FROM addition) AND (SELECT count(*) FROM failed) >= 0
      ORDER BY id FOR KEY SHARE
    ),
    counter AS (
      INSERT INTO rejected_request_count AS c (account_id, minute, offered, dropped)
      SELECT account_id, minute, offered, dropped FROM addition JOIN referred ON referred.id = account_id
      ORDER BY account_id, minute
      ON CONFLICT (account_id, minute)
      DO UPDATE SET offered = c.offered + excluded.offered, dropped = c.dropped + excluded.dropped
      RETURNING c.account_id, c.minute, c.offered
    )
    INSERT INTO rejected_request (id, account_id, key_id, created_at, request_id, method, path, status, code, message, budget_id, generation_id)
    SELECT id, account_id, key_id, created_at, request_id, method, path, status, code,
      CASE WHEN generation_id IN (SELECT id FROM failed WHERE erased_at IS NOT NULL) THEN '${ERASED_MESSAGE}' ELSE message END,
      budget_id, generation_id
    FROM rejection JOIN counter USING (account_id, minute) JOIN addition USING (account_id, minute)
    WHERE counter.offered - addition.offered + n <= ${MAX_STORED_PER_MINUTE}
    RETURNING id`,
});

/**
 * Deletes up to `limit` rejected requests, and as many counters, that are older than the hub keeps them, and up to `limit`
 * requests that are older than their accounts keep them. Returns the larger number of deleted requests.
 */
export async function purgeRejected(hub: RejectionsHub, limit: number): Promise<number> {
  const now = hub.now();
  const oldest = new Date(now.getTime() - hub.env.RETENTION_REQUEST_LOG_DAYS * DAY_MS);
  await deleteCounters(hub.db, oldest, limit);
  const [old, kept] = [await deleteRequests(hub.db, oldest, limit), await deleteShorter(hub.db, now, limit)];
  return Math.max(old.length, kept.length);
}

const deleteShorter = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    DELETE FROM rejected_request WHERE id IN (
      SELECT due.id FROM account_retention r CROSS JOIN LATERAL (
        SELECT id FROM rejected_request
        WHERE account_id = r.account_id AND created_at < $1::timestamptz - make_interval(hours => 24 * r.request_log_days)
        ORDER BY created_at LIMIT $2
      ) due WHERE r.request_log_days IS NOT NULL LIMIT $2)
    RETURNING id`,
});

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
