import { OperatorError } from "./operator-error";

/** A record of a file, and the line on which it begins, from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

interface Bounds {
  /** Characters of one record. */
  maxLength: number;
  /** Cells of one record. */
  maxCells: number;
}

/**
 * Reads CSV (RFC 4180) as it arrives and yields its records, without empty lines. Throws OperatorError for a record beyond the
 * bounds and for a quote that never ends.
 */
export async function* readCsv(chunks: AsyncIterable<string>, bounds: Bounds): AsyncGenerator<CsvRecord, void> {
  const parser = createParser(bounds);
  for await (const chunk of chunks) {
    parser.push(chunk);
    yield* parser.takeRecords();
  }
  parser.end();
  yield* parser.takeRecords();
}

const SPECIAL = /[",\r\n]/g;

function createParser({ maxLength, maxCells }: Bounds) {
  let records: CsvRecord[] = [];
  let [cells, cell, length]: [string[], string, number] = [[], "", 0];
  let [line, firstLine] = [1, 1];
  let isQuoted = false;
  /** The last character was a quote in a quoted cell: it ends the cell, or a second one follows. */
  let isAfterQuote = false;

  const add = (text: string) => {
    length += text.length;
    if (length > maxLength) throw new OperatorError(`Line ${firstLine}: a record has at most ${maxLength} characters.`);
    cell += text;
  };
  const endCell = () => {
    if (cells.push(cell) > maxCells)
      throw new OperatorError(`Line ${firstLine}: a record has at most ${maxCells} columns.`);
    cell = "";
  };
  const endRecord = () => {
    endCell();
    if (cells.length > 1 || cells[0] !== "") records.push({ line: firstLine, cells });
    [cells, length] = [[], 0];
    firstLine = line;
  };

  /** Reads the inside of quotes from `at`. Returns where it stops. */
  const readQuoted = (text: string, at: number): number => {
    const end = text.indexOf('"', at);
    const inside = text.slice(at, end === -1 ? undefined : end);
    add(inside);
    line += inside.split("\n").length - 1;
    if (end === -1) return text.length;
    [isQuoted, isAfterQuote] = [false, true];
    return end + 1;
  };
  const readQuote = () => {
    if (isAfterQuote) add('"');
    if (isAfterQuote || cell === "") isQuoted = true;
    else add('"');
    isAfterQuote = false;
  };
  /** Reads up to the next special character from `at`, and that one. Returns where it stops. */
  const readPlain = (text: string, at: number): number => {
    SPECIAL.lastIndex = at;
    const end = SPECIAL.exec(text)?.index ?? text.length;
    if (end > at) {
      add(text.slice(at, end));
      isAfterQuote = false;
    }
    const special = text[end];
    if (special === '"') readQuote();
    else isAfterQuote = false;
    if (special === ",") endCell();
    if (special === "\n") {
      line += 1;
      endRecord();
    }
    return end + 1;
  };

  return {
    push(text: string): void {
      for (let at = 0; at < text.length;) at = isQuoted ? readQuoted(text, at) : readPlain(text, at);
    },
    end(): void {
      if (isQuoted) throw new OperatorError(`Line ${firstLine}: a quote does not end.`);
      endRecord();
    },
    takeRecords(): CsvRecord[] {
      const taken = records;
      records = [];
      return taken;
    },
  };
}
