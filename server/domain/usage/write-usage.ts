import { invalidInput } from "../../errors";
import { escapeFormula, formatCsvRow } from "../../lib/csv";
import { formatDecimal } from "../../lib/money";
import type { UsageHub } from "./hub";
import { readUsage, type UsagePage, type UsageQuery } from "./read-usage";
import { sumColumns } from "./usage-sql";

const PAGE_SIZE = 5_000;
const MAX_ROWS = 100_000;

/**
 * Returns usage as CSV (RFC 4180), in pages that keep memory use constant. Throws what `readUsage` does, and a 400 for more
 * than 100,000 rows, before it returns anything.
 */
export async function writeUsage(hub: UsageHub, query: UsageQuery): Promise<AsyncGenerator<string>> {
  const first = await readUsage(hub, query, { limit: PAGE_SIZE });
  if (first.count > MAX_ROWS)
    throw invalidInput("group_by", `has ${first.count} rows, and CSV at most ${MAX_ROWS}: choose a shorter period`);
  return writePages(hub, query, first);
}

async function* writePages(hub: UsageHub, query: UsageQuery, first: UsagePage): AsyncGenerator<string> {
  const names = query.groups.map(({ name }) => name);
  yield formatCsvRow([...names, ...sumColumns.map((column) => (column === "billed" ? "billed_eur" : column))]);
  for (let page = first; ; page = await readUsage(hub, query, { limit: PAGE_SIZE, cursor: page.next_cursor })) {
    yield page.data.map((row) => formatCsvRow(toCells(names, row))).join("");
    if (page.next_cursor === null) return;
  }
}

const toCells = (names: string[], { groups, ...sums }: UsagePage["data"][number]) => [
  ...names.map((name) => escapeFormula(groups[name]!)),
  ...sumColumns.map((column) => (column === "billed" ? formatDecimal(sums.billed) : String(sums[column]))),
];
