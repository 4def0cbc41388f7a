import { int4, int8, notNull, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { NEVER_EXPIRES } from "../files";
import { RETENTION_DAYS } from "../generations/replay";
import { PIECE_RETENTION_DAYS } from "../openai";
import { REPORT_RETENTION_DAYS } from "../reconciliation";
import { MAX_SESSION_S } from "../sessions";
import { ENDED_LINK_DAYS } from "../shares";
import { EVENT_RETENTION_DAYS } from "../deliveries";
import { keptReplyDaysSql } from "../accounts/sql";
import type { OperationsHub } from "./hub";
import { hasContentSql } from "../files/sql";

const SECONDS_PER_DAY = 86_400;

/**
 * Rows, or values in rows, that the sweep removes after `days` days (`$2` is `RETENTION_REQUEST_LOG_DAYS`). Each has an index
 * by its time.
 */
const temporary: { name: string; table: string; time: string; where?: string; days: number | "$2::int" }[] = [
  { name: "webhook events and their deliveries", table: "event", time: "created_at", days: EVENT_RETENTION_DAYS },
  {
    name: "responses of chats with an idempotency key",
    table: "generation",
    time: "completed_at",
    where: "stored_answer IS NOT NULL",
    days: RETENTION_DAYS.answer,
  },
  {
    name: "idempotency keys",
    table: "generation",
    time: "completed_at",
    where: "idempotency_key IS NOT NULL AND completed_at IS NOT NULL",
    days: RETENTION_DAYS.key,
  },
  { name: "vectors of large responses", table: "vector_piece", time: "created_at", days: PIECE_RETENTION_DAYS },
  { name: "stored responses", table: "response", time: "expires_at", days: 0 },
  { name: "rejected requests", table: "rejected_request", time: "created_at", days: "$2::int" },
  { name: "sessions", table: "session", time: "created_at", days: MAX_SESSION_S / SECONDS_PER_DAY },
  { name: "ended share links", table: "share_link", time: "expires_at", days: ENDED_LINK_DAYS },
  { name: "events of payment providers", table: "payment_event", time: "received_at", days: REPORT_RETENTION_DAYS },
  {
    name: "content of files",
    table: "file",
    time: "expires_at",
    where: `removed_at IS NULL AND expires_at < '${NEVER_EXPIRES}'`,
    days: 0,
  },
];

/** Large tables whose rows are never removed, with the column of their age, and an indexed column of the same order. */
const permanent = [
  { table: "generation", time: "created_at", order: "id" },
  { table: "attempt", time: "started_at", order: "generation_id" },
  { table: "ledger_entry", time: "created_at", order: "id" },
  { table: "file", time: "created_at", order: "id" },
  { table: "operator_action", time: "created_at", order: "id" },
];

/** When the sweep removes the oldest of something, in ISO 8601, and how many are due already. */
export interface Retention {
  name: string;
  next_at: string | null;
  due: number;
}

/** Returns when the sweep removes the oldest of each kind of data, soonest first. */
export const describeRetention = async (hub: OperationsHub): Promise<Retention[]> =>
  (await selectRetention(hub.db, hub.now(), hub.env.RETENTION_REQUEST_LOG_DAYS, hub.env.RETENTION_REPLY_DAYS)).map(
    ({ name, next_at, due }) => ({
      name,
      next_at: next_at?.toISOString() ?? null,
      due: Number(due),
    }),
  );

// Each account sets how long replies of chats are kept, so the accounts are looked up one by one.
const selectRetention = statement({
  params: [timestamptz, int4, int4],
  row: { name: notNull(text), next_at: nullable(timestamptz), due: notNull(int8) },
  text: `
    WITH RECURSIVE owner AS (
      SELECT min(account_id) AS id FROM chat_reply
      UNION ALL
      SELECT (SELECT min(account_id) FROM chat_reply WHERE account_id > owner.id) FROM owner WHERE owner.id IS NOT NULL
    ),
    reply AS (
      SELECT oldest.created_at + keeps AS next_at,
             (SELECT count(*) FROM chat_reply r WHERE r.account_id = a.id AND r.created_at <= $1::timestamptz - keeps) AS due
      FROM owner JOIN account a ON a.id = owner.id
      CROSS JOIN LATERAL (SELECT make_interval(hours => 24 * coalesce(${keptReplyDaysSql("a", "$3")}, 0)) AS keeps) setting
      CROSS JOIN LATERAL (SELECT min(created_at) AS created_at FROM chat_reply WHERE account_id = a.id) oldest
    )
    ${temporary.map(composeRetentionSql).join(" UNION ALL ")}
    UNION ALL SELECT 'replies of chats', min(next_at), coalesce(sum(due), 0)::bigint FROM reply
    ORDER BY 2 NULLS LAST, 1`,
});

function composeRetentionSql({ name, table, time, where = "true", days }: (typeof temporary)[number]): string {
  const kept = `${days} * interval '24 hours'`;
  return `
    SELECT '${name}' AS name,
           (SELECT ${time} FROM ${table} WHERE ${where} ORDER BY ${time} LIMIT 1) + ${kept} AS next_at,
           (SELECT count(*) FROM ${table} WHERE ${where} AND ${time} < $1::timestamptz - ${kept}) AS due`;
}

/** Returns the time of the oldest row of each large table whose rows are never removed. */
export const findOldestRows = async (hub: OperationsHub): Promise<{ table: string; oldest_at: string | null }[]> =>
  (await selectOldest(hub.db)).map(({ table, oldest_at }) => ({ table, oldest_at: oldest_at?.toISOString() ?? null }));

const selectOldest = statement({
  params: [],
  row: { table: notNull(text), oldest_at: nullable(timestamptz) },
  text: permanent
    .map(
      ({ table, time, order }) =>
        `SELECT '${table}' AS "table", (SELECT ${time} FROM ${table} ORDER BY ${order} LIMIT 1) AS oldest_at`,
    )
    .join(" UNION ALL "),
});

/** Returns how many files have content, and its size in bytes. Reads every file's row. */
export async function measureFiles(hub: OperationsHub): Promise<{ count: number; bytes: number }> {
  const [files] = await sumFiles(hub.db);
  return { count: Number(files!.count), bytes: Number(files!.bytes) };
}

const sumFiles = statement({
  params: [],
  row: { count: notNull(int8), bytes: notNull(int8) },
  text: `
    SELECT count(*) AS count, coalesce(sum(size), 0)::bigint AS bytes
    FROM file WHERE ${hasContentSql("file")}`,
});
