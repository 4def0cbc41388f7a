/** A record of a CSV file, with the line on which it begins; the first line is 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** Thrown for a file that is not CSV. */
export class CsvError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

const SEPARATORS = [",", ";", "\t"] as const;

/**
 * Returns the records of a CSV file (RFC 4180) without its empty lines. Spreadsheets of some languages separate cells by
 * semicolons or tabs, so the separator is the most frequent one in the first line. Throws CsvError.
 */
export function parseCsv(file: string): CsvRecord[] {
  const text = file.replace(/^\uFEFF/, "");
  const separator = findSeparator(text);
  // A quoted cell with the quotes inside doubled, or one without quotes, and what ends it.
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|(?!")([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`,
    "y",
  );
  const records: CsvRecord[] = [];
  let record: CsvRecord = { line: 1, cells: [] };
  let line = 1;
  for (let isOpen = text !== ""; isOpen;) {
    const match = cell.exec(text);
    if (!match) throw new CsvError("A quotation mark is not closed, or not doubled.", line);
    const [whole, quoted, plain = "", end] = match;
    record.cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === separator) continue;
    if (record.cells.some((value) => value.trim() !== "")) records.push(record);
    record = { line, cells: [] };
    isOpen = cell.lastIndex < text.length && end !== "";
  }
  return records;
}

function findSeparator(text: string): string {
  const [head = ""] = text.split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((separator) => head.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}
