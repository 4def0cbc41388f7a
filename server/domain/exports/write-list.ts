import { Readable } from "node:stream";
import { escapeFormula, formatCsvRow } from "../../lib/csv";
import type { ZipWriter } from "../../lib/zip/zip-writer";
import { lists, type ListStep } from "./lists";
import { nextStep, type Position } from "./position";
import type { Run } from "./run";

const MAX_ROWS = 10_000;
/** The CSV of a file is held until its JSON Lines are written, because both come from the same reads. */
const MAX_CSV_LENGTH = 4 * 1024 * 1024;

/** Adds the next file of a list as JSON Lines and as CSV. Returns the position after it. */
export async function writeList(run: Run, zip: ZipWriter, position: Position & { step: ListStep }): Promise<Position> {
  const { step, file } = position;
  const { columns, read } = lists[step];
  const csv = [formatCsvRow([...columns])];
  let { after } = position;
  async function* writeLines() {
    let rows = 0;
    let length = 0;
    do {
      const page = await read(run.ctx, run.task, after);
      after = page.after;
      for (const record of page.records) {
        const row = formatCsvRow(columns.map((name) => formatCell(record[name])));
        length += row.length;
        csv.push(row);
      }
      rows += page.records.length;
      yield page.records.map((record) => `${JSON.stringify(record)}\n`).join("");
    } while (after !== null && rows < MAX_ROWS && length < MAX_CSV_LENGTH);
    run.done += rows;
  }
  const name = file === 1 ? step : `${step}-${file}`;
  const entry = { time: run.task.created_at, isCompressed: true };
  await zip.add({ ...entry, name: `${name}.jsonl` }, Readable.from(writeLines()));
  await zip.add({ ...entry, name: `${name}.csv` }, Readable.from(csv));
  return after === null ? nextStep(step) : { step, after, file: file + 1 };
}

const MAX_DECIMALS = 9;

/** Returns a value of a record as text for a spreadsheet. */
function formatCell(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return escapeFormula(value);
  // Without an exponent, as 0.000000001 would have one.
  if (typeof value === "number" && !Number.isInteger(value)) return value.toFixed(MAX_DECIMALS).replace(/0+$/, "");
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}
