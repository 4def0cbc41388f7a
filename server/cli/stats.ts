import type { Command } from "commander";
import { countDueContent } from "../domain/erasure";
import {
  describeRetention,
  findOldestRows,
  measureDatabase,
  measureFiles,
  type Retention,
  type TableSize,
} from "../domain/operations";
import { type OutputOptions, printResult, withHub } from "./command";
import { formatBytes } from "./format-bytes";
import { formatColumns } from "./format-columns";

/** Tables below this size are not printed, except with `--all` and `--json`. */
const MIN_PRINTED_BYTES = 1024 ** 2;
/** The most generations of an account with due content that are counted. */
const MAX_COUNTED = 10_000_000;

interface StatsOptions extends OutputOptions {
  all?: boolean;
  indexes?: boolean;
}

/** Adds the `stats` command. */
export function addStatsCommand(program: Command): void {
  program
    .command("stats")
    .description("show the sizes of the database and the files, the oldest rows, and what is removed next")
    .option("--all", "also tables of less than 1 MiB")
    .option("--indexes", "also the size of each index")
    .option("--json")
    .action(printStats);
}

async function printStats(options: StatsOptions): Promise<void> {
  const stats = await withHub(async (hub) => ({
    database: await measureDatabase(hub),
    files: await measureFiles(hub),
    oldest: await findOldestRows(hub),
    retention: await describeRetention(hub),
    erasures: await countDueContent(hub, MAX_COUNTED),
  }));
  const { database, files, oldest, retention, erasures } = stats;
  const printed = database.tables.filter(
    (table) => options.all || table.table_bytes + table.index_bytes >= MIN_PRINTED_BYTES,
  );
  const lines = [
    `database  ${formatBytes(database.bytes)}`,
    `files     ${formatBytes(files.bytes)} in ${files.count} files`,
    "",
    ...formatTables(printed, options.indexes ?? false),
    "",
    "oldest rows of tables that keep everything",
    ...formatColumns(oldest.map(({ table, oldest_at }) => [table, oldest_at ?? "none"])),
    "",
    "removed next",
    ...formatColumns(retention.map(formatRetention)),
    "",
    "content of generations to be erased",
    ...formatColumns(erasures.map(({ name, due }) => [name, due === 0 ? "nothing" : `${due} due`])),
  ];
  printResult(options, stats, lines.join("\n"));
}

function formatTables(tables: TableSize[], withIndexes: boolean): string[] {
  if (tables.length === 0) return ["every table is smaller than 1 MiB (--all shows them)"];
  const rows = tables.flatMap(({ name, rows, dead_rows, table_bytes, index_bytes, indexes }) => [
    [name, rows === null ? "unknown" : String(rows), String(dead_rows), formatBytes(table_bytes), formatBytes(index_bytes)], // prettier-ignore
    ...(withIndexes ? indexes.map((index) => [`  ${index.name}`, "", "", "", formatBytes(index.bytes)]) : []),
  ]);
  return formatColumns([["table", "rows, estimated", "dead", "size", "indexes"], ...rows]);
}

const formatRetention = ({ name, next_at, due }: Retention): string[] => [
  name,
  next_at ?? "nothing",
  due === 0 ? "" : `${due} due`,
];
