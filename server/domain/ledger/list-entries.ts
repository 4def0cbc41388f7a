import type { Ctx } from "../../context";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { type Nano, toEuros } from "../../lib/money";

export const entryKinds = ["credit", "charge"] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Which entries of a statement: of one kind, and from a moment on until before another. */
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
 * One page of the account's ledger, newest first in the order in which it was written, so that each balance follows
 * from the one below it. One statement, which reads hardly more entries than it answers.
 */
export async function listEntries(
  ctx: Ctx,
  { limit, cursor, ...filters }: EntryFilters & { limit: number; cursor?: string },
): Promise<{ data: Entry[]; next_cursor: string | null }> {
  const { kind, from, until } = filters;
  const scope = JSON.stringify(["entries", ctx.account.id, kind, from, until]);
  const before = cursor === undefined ? null : decodeCursor(ctx.secret, scope, cursor);
  const { text, values } = statement(ctx.account.id, filters, before, limit + 1);
  const found = await ctx.db.query<Entry>(text, values);
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(ctx.secret, scope, String(data.at(-1)!.id)) : null;
  return { data, next_cursor };
}

/** An entry as pages have it. */
export const serializeEntry = ({ id, amount, balance_after, created_at, ...entry }: Entry) => ({
  ...entry,
  id: String(id),
  amount: toEuros(amount),
  balance_after: toEuros(balance_after),
  created_at: created_at.toISOString(),
});

// Entries are numbered in the order of their commits, and their times may differ from it by as long as a statement
// waited for its account. So the days narrow the numbers with this to spare, and the times decide.
const SPARE_MS = 10 * 60_000;

function statement(accountId: number, { kind, from, until }: EntryFilters, before: string | null, limit: number) {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  // A range and an order by account keep the planner on the account's own indexes, as in the listing of generations.
  const where = ["e.account_id BETWEEN $1 AND $1"];
  if (kind !== undefined) where.push(`e.kind = '${kind}'`);
  if (before !== null) where.push(`e.id < ${bind(before)}`);
  if (from) {
    where.push(`e.created_at >= ${bind(from)}`);
    where.push(`e.id >= (${edge(`created_at >= ${bind(new Date(from.getTime() - SPARE_MS))}`, "")})`);
  }
  if (until) {
    where.push(`e.created_at < ${bind(until)}`);
    where.push(`e.id <= (${edge(`created_at < ${bind(new Date(until.getTime() + SPARE_MS))}`, "DESC")})`);
  }
  const text = `
    SELECT page.*, g.model FROM (
      SELECT id, kind, amount, balance_after, created_at, generation_id, reference, note FROM ledger_entry e
      WHERE ${where.join(" AND ")} ORDER BY e.account_id DESC, e.id DESC LIMIT ${bind(limit)}
    ) page LEFT JOIN generation g ON g.id = page.generation_id ORDER BY page.id DESC`;
  return { text, values };
}

const edge = (condition: string, order: "" | "DESC") =>
  `SELECT id FROM ledger_entry WHERE account_id = $1 AND ${condition} ORDER BY created_at ${order}, id ${order} LIMIT 1`;
