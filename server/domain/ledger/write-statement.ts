import { z } from "zod";
import type { Ctx } from "../../context";
import { escapeFormula, formatCsvRow } from "../../lib/csv";
import { formatDecimal } from "../../lib/money";
import { describePrice } from "../pricing";
import { describeUsage } from "../tokens";
import type { LedgerHub } from "./hub";
import { type EntryFilters, entryKinds, type Entry, listEntries } from "./list-entries";

const DAY_MS = 86_400_000;

/** The account statement's filters in a request: a kind, and UTC days of which the last is inclusive. */
export const StatementFilters = z.object({
  kind: z.enum(entryKinds).optional(),
  from: z.iso.date("must be a day as YYYY-MM-DD").optional(),
  to: z.iso.date("must be a day as YYYY-MM-DD").optional(),
});

/** Converts the days of a request to the times of `EntryFilters`. */
export const parseStatementFilters = ({ kind, from, to }: z.output<typeof StatementFilters>): EntryFilters => ({
  kind,
  from: from === undefined ? undefined : new Date(from),
  until: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
});

const PAGE_SIZE = 1_000;

const columns: [string, (entry: Entry) => string | null][] = [
  ["time", ({ created_at }) => created_at.toISOString()],
  ["entry", ({ id }) => String(id)],
  ["kind", ({ kind }) => kind],
  ["amount_eur", ({ amount }) => formatDecimal(amount)],
  ["balance_eur", ({ balance_after }) => formatDecimal(balance_after)],
  ["generation", ({ generation_id }) => generation_id],
  ["model", ({ model }) => model],
  ["reference", ({ reference }) => escapeFormula(reference)],
  ["note", ({ note }) => escapeFormula(note)],
  ["input_tokens", (entry) => countOf(entry, "input_tokens")],
  ["cached_input_tokens", (entry) => countOf(entry, "cached_input_tokens")],
  ["cache_write_tokens", (entry) => countOf(entry, "cache_write_tokens")],
  ["output_tokens", (entry) => countOf(entry, "output_tokens")],
  ["reasoning_tokens", (entry) => countOf(entry, "reasoning_tokens")],
  ["end_user", ({ end_user }) => escapeFormula(end_user)],
  ["metadata", ({ metadata }) => metadata && JSON.stringify(metadata)],
  ["promotional_eur", ({ promotional }) => formatDecimal(promotional)],
  ["price", ({ price }) => describePrice(price)],
];

function countOf(entry: Entry, name: keyof NonNullable<ReturnType<typeof describeUsage>>): string | null {
  const usage = describeUsage(entry);
  return usage && String(usage[name]);
}

/** Yields the account's statement as CSV (RFC 4180), newest entry first, in pages that keep memory use constant. */
export async function* writeStatement(ctx: Ctx<LedgerHub>, filters: EntryFilters): AsyncGenerator<string> {
  yield formatCsvRow(columns.map(([name]) => name));
  for (let cursor: string | undefined; ;) {
    const { data, next_cursor } = await listEntries(ctx, { ...filters, limit: PAGE_SIZE, cursor });
    yield data.map((entry) => formatCsvRow(columns.map(([, read]) => read(entry)))).join("");
    if (next_cursor === null) return;
    cursor = next_cursor;
  }
}
