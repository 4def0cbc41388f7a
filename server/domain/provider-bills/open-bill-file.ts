import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { isObject } from "../../lib/is-object";
import { OperatorError } from "../../lib/operator-error";
import { readCsv } from "../../lib/read-csv";
import type { Bill, BillLine } from "./bill";
import { billFormats, type BillRecord } from "./bill-formats";

const MAX_BYTES = 1024 ** 3;
const BOUNDS = { maxLength: 65_536, maxCells: 256 };

interface NumberedRecord {
  line: number;
  has: (column: string) => boolean;
  read: BillRecord;
}

/**
 * Opens a provider's bill: CSV, or JSON with one object a line. Its format is recognized by the columns of the first record.
 * Throws OperatorError if it cannot be read; reading its lines throws one that names the line.
 */
export async function openBillFile(path: string): Promise<Bill> {
  const records = readRecords(path)[Symbol.asyncIterator]();
  const first = await records.next();
  if (first.done) throw new OperatorError("The file has no records.");
  const { has } = first.value;
  const format = billFormats.find(({ columns }) => columns.every((names) => names.some(has)));
  if (!format)
    throw new OperatorError(
      "The file has the columns of no known format. docs/reconciliation.md describes the formats; the plain one has the " +
        "columns handle and cost.",
    );
  const { name: source, matchedBy, read } = format;
  return { source, matchedBy, lines: readLines(first.value, { [Symbol.asyncIterator]: () => records }, read) };
}

async function* readLines(
  first: NumberedRecord,
  others: AsyncIterable<NumberedRecord>,
  read: (record: BillRecord) => BillLine | null,
): AsyncGenerator<BillLine, void> {
  const readOne = ({ line, read: record }: NumberedRecord) => {
    try {
      return read(record);
    } catch (error) {
      throw error instanceof RangeError ? new OperatorError(`Line ${line}: ${error.message}.`) : error;
    }
  };
  const line = readOne(first);
  if (line) yield line;
  for await (const record of others) {
    const next = readOne(record);
    if (next) yield next;
  }
}

async function* readRecords(path: string): AsyncGenerator<NumberedRecord, void> {
  const { size } = await stat(path).catch((error: Error) => {
    throw new OperatorError(`The file cannot be read: ${error.message}`);
  });
  if (size > MAX_BYTES) throw new OperatorError("The file has more than 1 GiB. Export a shorter period.");
  const chunks = readText(path);
  const first = await chunks.next();
  const text = (first.value ?? "").replace(/^\uFEFF/, "");
  const all = prepend(text, chunks);
  yield* text.trimStart().startsWith("{") ? readJsonLines(all) : readTable(all);
}

async function* readText(path: string): AsyncGenerator<string, void> {
  try {
    for await (const chunk of createReadStream(path, { encoding: "utf8" })) yield chunk as string;
  } catch (error) {
    throw new OperatorError(`The file cannot be read: ${(error as Error).message}`);
  }
}

async function* prepend(first: string, others: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield first;
  yield* others;
}

async function* readTable(chunks: AsyncIterable<string>): AsyncGenerator<NumberedRecord, void> {
  let header: Map<string, number> | null = null;
  for await (const { line, cells } of readCsv(chunks, BOUNDS)) {
    if (header) {
      const columns = header;
      yield { line, has: (column) => columns.has(column), read: (column) => cells[columns.get(column) ?? -1] ?? "" };
    } else header = new Map(cells.map((name, index) => [name.trim().toLowerCase(), index]));
  }
}

async function* readJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<NumberedRecord, void> {
  let [rest, line] = ["", 0];
  for await (const chunk of chunks) {
    const lines = chunk.split("\n");
    lines[0] = rest + lines[0]!;
    rest = lines.pop()!;
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") yield parseLine(text, line);
    }
    if (rest.length > BOUNDS.maxLength) throw tooLong(line + 1);
  }
  if (rest.trim() !== "") yield parseLine(rest, line + 1);
}

const tooLong = (line: number) =>
  new OperatorError(`Line ${line}: a record has at most ${BOUNDS.maxLength} characters.`);

function parseLine(text: string, line: number): NumberedRecord {
  if (text.length > BOUNDS.maxLength) throw tooLong(line);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OperatorError(`Line ${line} is not JSON.`);
  }
  return { line, has: (column) => findMember(value, column) !== undefined, read: (column) => toText(value, column) };
}

/** Returns a member of an object, or a member of that by `name.member`. */
function findMember(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

function toText(value: unknown, column: string): string {
  const member = findMember(value, column);
  return typeof member === "string" || typeof member === "number" ? String(member) : "";
}
