import type { Ctx, Metadata } from "../../context";
import { int4, int8, int8Number, jsonb, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type Bind, combine, composedStatement, type RowOf } from "../../db/statement";
import { decodeCursor, type Page, toPage } from "../../lib/cursor";
import { toEuros } from "../../lib/money";
import { describePrice, type Price } from "../pricing";
import { describeUsage, type TokenClasses } from "../tokens";
import type { LedgerHub } from "./hub";

export const entryKinds = ["credit", "promotional", "charge", "refund", "dispute", "repayment", "given_up"] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Filters of the ledger; `from` is inclusive, `until` exclusive. */
export interface EntryFilters {
  kind?: EntryKind;
  from?: Date;
  until?: Date;
}

const entryColumns = {
  id: int8,
  kind: textOf<EntryKind>(),
  amount: int8,
  promotional: int8,
  balance_after: int8,
  created_at: timestamptz,
  generation_id: nullable(uuid),
  model: nullable(text),
  input_tokens: nullable(int4),
  output_tokens: nullable(int4),
  token_classes: nullable(jsonb<TokenClasses>()),
  metadata: nullable(jsonb<Metadata>()),
  end_user: nullable(text),
  reference: nullable(text),
  note: nullable(text),
  price: nullable(jsonb<Price>()),
};

export type Entry = RowOf<typeof entryColumns>;

/**
 * Returns a page of the account's ledger, newest first in commit order, so that each balance follows from the one below
 * it.
 */
export async function listEntries(
  ctx: Ctx<LedgerHub>,
  { limit, cursor, ...filters }: EntryFilters & { limit: number; cursor?: string },
): Promise<Page<Entry>> {
  const { kind, from, until } = filters;
  const scope = JSON.stringify(["entries", ctx.account.id, kind, from, until]);
  const before = cursor === undefined ? null : decodeCursor(ctx.hub, scope, cursor);
  const found = await selectEntries(ctx.hub.db, { ...filters, accountId: ctx.account.id, before, limit: limit + 1 });
  return toPage(ctx.hub, scope, found, { limit, positionOf: ({ id }) => id });
}

/** Returns an entry for the console and exports. */
export const serializeEntry = (entry: Entry) => ({
  id: String(entry.id),
  kind: entry.kind,
  amount: toEuros(entry.amount),
  /** How much of the amount is promotional credit. */
  promotional: toEuros(entry.promotional),
  balance_after: toEuros(entry.balance_after),
  created_at: entry.created_at.toISOString(),
  generation_id: entry.generation_id,
  model: entry.model,
  reference: entry.reference,
  note: entry.note,
  usage: describeUsage(entry),
  price: describePrice(entry.price),
});

// Entry ids are in commit order, which may differ from the order of their times by as long as a statement waited for
// its account's lock. So the range of ids is bounded by entries that are outside the period by at least this margin, and
// the times are compared exactly.
const LOCK_WAIT_MARGIN_MS = 10 * 60_000;
const MAX_ID = 2n ** 63n - 1n;

interface EntryQuery extends EntryFilters {
  accountId: number;
  /** The page has only entries with a lower id. */
  before: string | null;
  limit: number;
}

function composeEntriesSql({ accountId, kind, from, until, before, limit }: EntryQuery, bind: Bind): string {
  const account = bind(int4, accountId);
  const boundaryIdSql = (condition: string, order: "" | "DESC", none: bigint) =>
    `coalesce((SELECT id FROM ledger_entry WHERE account_id = ${account} AND ${condition} ORDER BY created_at ${order}, id ${order} LIMIT 1), ${none})`;
  // The range and the order by account make the planner use the index by account, as for the list of generations.
  const where = [`e.account_id BETWEEN ${account} AND ${account}`];
  if (kind !== undefined) where.push(`e.kind = '${kind}'`);
  if (before !== null) where.push(`e.id < ${bind(int8, BigInt(before))}`);
  if (from) {
    where.push(`e.created_at >= ${bind(timestamptz, from)}`);
    where.push(
      `e.id > ${boundaryIdSql(`created_at < ${bind(timestamptz, new Date(from.getTime() - LOCK_WAIT_MARGIN_MS))}`, "DESC", 0n)}`,
    );
  }
  if (until) {
    where.push(`e.created_at < ${bind(timestamptz, until)}`);
    where.push(
      `e.id < ${boundaryIdSql(`created_at >= ${bind(timestamptz, new Date(until.getTime() + LOCK_WAIT_MARGIN_MS))}`, "", MAX_ID)}`,
    );
  }
  return `
    SELECT page.*, g.model, g.input_tokens, g.output_tokens, g.token_classes, g.metadata, g.end_user, g.price FROM (
      SELECT id, kind, amount, promotional, balance_after, created_at, generation_id, reference, note FROM ledger_entry e
      WHERE ${where.join(" AND ")} ORDER BY e.account_id DESC, e.id DESC LIMIT ${bind(int8Number, limit)}
    ) page LEFT JOIN generation g ON g.id = page.generation_id ORDER BY page.id DESC`;
}

const selectEntries = composedStatement({
  row: entryColumns,
  forms: combine<EntryQuery>({
    accountId: [1],
    kind: [undefined, ...entryKinds],
    from: [undefined, new Date(0)],
    until: [undefined, new Date(0)],
    before: [null, "1"],
    limit: [1],
  }),
  compose: composeEntriesSql,
});
