import type { Ctx } from "../../context";
import { formatDecimal } from "../../lib/money";
import { type Entry, type EntryFilters, listEntries } from "./list-entries";

const PAGE = 1_000;

const columns: [string, (entry: Entry) => string | null][] = [
  ["time", ({ created_at }) => created_at.toISOString()],
  ["entry", ({ id }) => String(id)],
  ["kind", ({ kind }) => kind],
  ["amount_eur", ({ amount }) => formatDecimal(amount)],
  ["balance_eur", ({ balance_after }) => formatDecimal(balance_after)],
  ["generation", ({ generation_id }) => generation_id],
  ["model", ({ model }) => model],
  ["reference", ({ reference }) => guard(reference)],
  ["note", ({ note }) => guard(note)],
];

/**
 * The account's statement as CSV (RFC 4180), newest first, a page at a time: however long the history is, little of
 * it is in memory.
 */
export async function* writeStatement(ctx: Ctx, filters: EntryFilters): AsyncGenerator<string> {
  yield row(columns.map(([name]) => name));
  for (let cursor: string | undefined; ;) {
    const { data, next_cursor } = await listEntries(ctx, { ...filters, limit: PAGE, cursor });
    yield data.map((entry) => row(columns.map(([, read]) => read(entry)))).join("");
    if (next_cursor === null) return;
    cursor = next_cursor;
  }
}

const row = (cells: (string | null)[]) => `${cells.map((cell) => quote(cell ?? "")).join(",")}\r\n`;
const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// A spreadsheet would run what begins so as a formula.
const guard = (text: string | null) => (text && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
