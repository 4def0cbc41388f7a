import { int4, int8, int8Number, jsonb, nullable, text, timestamptz, uuid } from "../../db/column-types";
import type { Queryable } from "../../db/client";
import { composedStatement, type RowOf } from "../../db/statement";
import { AppError } from "../../errors";
import type { Ctx } from "../../context";
import { decodeCursor, encodeCursor, type Page } from "../../lib/cursor";
import { isId } from "../../lib/id";
import { toEuros } from "../../lib/money";
import { type Status, statuses } from "../generations/row";
import type { BatchesHub } from "./hub";

/** How many of a batch's generations have each status; a status that none has may be absent. */
type Counts = Partial<Record<Status, number>>;

export const batchColumns = {
  id: uuid,
  model: text,
  size: int4,
  estimated_cost: int8,
  created_at: timestamptz,
  canceled_at: nullable(timestamptz),
  completed_at: nullable(timestamptz),
  counts: jsonb<Counts>(),
  billed_cost: int8,
  /** The estimates of its generations that have not ended. */
  reserved_cost: int8,
};

/** A batch. Until it is completed, its counts, cost and end are those of its generations now. */
export type Batch = RowOf<typeof batchColumns>;

/**
 * Returns SQL that sums up the generations of a batch as they are now: `counts`, `billed_cost`, `reserved_cost`, and
 * `completed_at`, which is null while one of them has not ended.
 */
export const sumGenerationsSql = (batch: string): string => `
  SELECT jsonb_object_agg(status, n) AS counts, sum(billed)::bigint AS billed_cost,
         coalesce(sum(estimated) FILTER (WHERE status NOT IN ('succeeded', 'failed', 'canceled')), 0)::bigint AS reserved_cost,
         CASE WHEN bool_and(status IN ('succeeded', 'failed', 'canceled')) THEN max(last) END AS completed_at
  FROM (
    SELECT status, count(*) AS n, coalesce(sum(billed_cost), 0) AS billed, sum(estimated_cost) AS estimated,
           max(completed_at) AS last
    FROM generation
    WHERE account_id = ${batch}.account_id AND batch_id = ${batch}.id GROUP BY status
  ) state`;

/** Returns batches of an account, newest first: with ids below `before`, and from `from` on. */
export const selectBatches = composedStatement({
  row: batchColumns,
  forms: [
    { accountId: 0, id: "" },
    { accountId: 0, before: "", limit: 1 },
    { accountId: 0, limit: 1 },
    { accountId: 0, before: "", from: "" },
    { accountId: 0, from: "" },
  ],
  compose({ accountId, id, before, from, limit }: BatchFilter, bind) {
    const conditions = [`b.account_id = ${bind(int4, accountId)}`];
    if (id !== undefined) conditions.push(`b.id = ${bind(uuid, id)}`);
    if (before !== undefined) conditions.push(`b.id < ${bind(uuid, before)}`);
    if (from !== undefined) conditions.push(`b.id >= ${bind(uuid, from)}`);
    return `
      SELECT b.id, b.model, b.size, b.estimated_cost, b.created_at, b.canceled_at,
             coalesce(b.completed_at, now.completed_at) AS completed_at, coalesce(b.counts, now.counts) AS counts,
             coalesce(b.billed_cost, now.billed_cost) AS billed_cost, coalesce(now.reserved_cost, 0) AS reserved_cost
      FROM batch b LEFT JOIN LATERAL (${sumGenerationsSql("b")}) now ON b.completed_at IS NULL
      WHERE ${conditions.join(" AND ")} ORDER BY b.account_id, b.id DESC
      ${limit === undefined ? "" : `LIMIT ${bind(int8Number, limit)}`}`;
  },
});

interface BatchFilter {
  accountId: number;
  id?: string;
  before?: string;
  from?: string;
  limit?: number;
}

/** Returns a batch of the account. Throws 404 `resource_not_found` for a missing, foreign or malformed id alike. */
export async function getBatch({ hub, account }: Ctx<{ db: Queryable }>, id: string): Promise<Batch> {
  const [batch] = isId(id) ? await selectBatches(hub.db, { accountId: account.id, id }) : [];
  if (!batch) throw new AppError("resource_not_found", "There is no such batch.");
  return batch;
}

/** Returns a page of the account's batches, newest first. */
export async function listBatches(
  { hub, account }: Ctx<BatchesHub>,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Page<Batch>> {
  const scope = JSON.stringify(["batches", account.id]);
  const before = cursor === undefined ? undefined : decodeCursor(hub, scope, cursor);
  const rows = await selectBatches(hub.db, { accountId: account.id, before, limit: limit + 1 });
  const data = rows.slice(0, limit);
  return { data, next_cursor: rows.length > limit ? encodeCursor(hub.secret, scope, data.at(-1)!.id) : null };
}

const getBatchStatus = ({ canceled_at, completed_at }: Batch): "canceled" | "completed" | "running" =>
  canceled_at ? "canceled" : completed_at ? "completed" : "running";

/** Returns a batch as the API shows it. */
export const serializeBatch = (batch: Batch) => ({
  id: batch.id,
  model: batch.model,
  status: getBatchStatus(batch),
  counts: Object.fromEntries(statuses.map((status) => [status, batch.counts[status] ?? 0])) as Record<Status, number>,
  estimated_cost: toEuros(batch.estimated_cost),
  billed_cost: toEuros(batch.billed_cost),
  reserved_cost: toEuros(batch.reserved_cost),
  currency: "EUR" as const,
  created_at: batch.created_at.toISOString(),
  completed_at: batch.completed_at?.toISOString() ?? null,
});
