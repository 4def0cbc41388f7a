import type { Ctx } from "../../context";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { type Nano, toEuros } from "../../lib/money";

export const entryKinds = ["credit", "charge"] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Filters of the ledger; `from` is inclusive, `until` exclusive. */
export interface EntryFilters {
  kind?: EntryKind;
  from?: Date;
  until?: Date;
}

export interface Entry {
  id: bigint;
  kind: EntryKind;
  amount: Nano;
  balance_after: Nano;
  created_at: Date;
  generation_id: string | null;
  model: string | null;
  reference: string | null;
  note: string | null;
}

/**
 * Returns a page of the account's ledger, newest first in commit order, so that each balance follows from the one below
 * it. The statement reads hardly more entries than it returns.
 */
export async function listEntries(
  ctx: Ctx,
  { limit, cursor, ...filters }: EntryFilters & { limit: number; cursor?: string },
): Promise<{ data: Entry[]; next_cursor: string | null }> {
  const { kind, from, until } = filters;
  const scope = JSON.stringify(["entries", ctx.account.id, kind, from, until]);
  const before = cursor === undefined ? null : decodeCursor(ctx.hub.secret, scope, cursor);
  const { text, values } = buildEntriesSql(ctx.account.id, filters, before, limit + 1);
  const found = await ctx.hub.db.query<Entry>(text, values);
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(ctx.hub.secret, scope, String(data.at(-1)!.id)) : null;
  return { data, next_cursor };
}

/** Returns an entry for the console and exports. */
export const serializeEntry = ({ id, amount, balance_after, created_at, ...entry }: Entry) => ({
  ...entry,
  id: String(id),
  amount: toEuros(amount),
  balance_after: toEuros(balance_after),
  created_at: created_at.toISOString(),
});

// Entry ids are in commit order, which may differ from the order of their times by as long as a statement waited for
// its account's lock. So the id range is widened by this margin, and the times are compared exactly.
const LOCK_WAIT_MARGIN_MS = 10 * 60_000;

function buildEntriesSql(accountId: number, { kind, from, until }: EntryFilters, before: string | null, limit: number) {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  // The range and the order by account make the planner use the account's own indexes, as for the list of generations.
  const where = ["e.account_id BETWEEN $1 AND $1"];
  if (kind !== undefined) where.push(`e.kind = '${kind}'`);
  if (before !== null) where.push(`e.id < ${bind(before)}`);
  if (from) {
    where.push(`e.created_at >= ${bind(from)}`);
    where.push(
      `e.id >= (${boundaryIdSql(`created_at >= ${bind(new Date(from.getTime() - LOCK_WAIT_MARGIN_MS))}`, "")})`,
    );
  }
  if (until) {
    where.push(`e.created_at < ${bind(until)}`);
    where.push(
      `e.id <= (${boundaryIdSql(`created_at < ${bind(new Date(until.getTime() + LOCK_WAIT_MARGIN_MS))}`, "DESC")})`,
    );
  }
  const text = `
    SELECT page.*, g.model FROM (
      SELECT id, kind, amount, balance_after, created_at, generation_id, reference, note FROM ledger_entry e
      WHERE ${where.join(" AND ")} ORDER BY e.account_id DESC, e.id DESC LIMIT ${bind(limit)}
    ) page LEFT JOIN generation g ON g.id = page.generation_id ORDER BY page.id DESC`;
  return { text, values };
}

const boundaryIdSql = (condition: string, order: "" | "DESC") =>
  `SELECT id FROM ledger_entry WHERE account_id = $1 AND ${condition} ORDER BY created_at ${order}, id ${order} LIMIT 1`;
