import { choicesOf, itemsOf, type Parameter, type Schema, typeOf } from "../../../parameters/parameter";
import { formatValue } from "../../../parameters/parameter-props";
import type { Input } from "../use-input";
import { CsvError, type CsvRecord, parseCsv } from "./parse-csv";

export const MAX_ROWS = 1_000;
/** The request with the inputs may have 1 MiB. */
export const MAX_BYTES = 1_000_000;

/** What is wrong on a line of the file. */
export interface LineIssue {
  line: number;
  message: string;
}

export interface FileInputs {
  /** The input of each row: the form's values, overridden by the row's cells. */
  inputs: Input[];
  /** The line of each input. */
  lines: number[];
  issues: LineIssue[];
  /** The columns that name a parameter. */
  columns: string[];
  /** The columns that name no parameter. */
  ignored: string[];
}

/** Returns the inputs that a CSV file describes, a column for each parameter that it names, and what is wrong with it. */
export function readInputs(file: string, parameters: Parameter[], form: Input): FileInputs {
  const empty: FileInputs = { inputs: [], lines: [], issues: [], columns: [], ignored: [] };
  try {
    const [head, ...rows] = parseCsv(file);
    const names = head?.cells.map((name) => name.trim()) ?? [];
    const fields = names.map((name) => parameters.find((one) => one.name === name));
    const columns = fields.flatMap((field) => field?.name ?? []);
    const ignored = names.filter((name, index) => name !== "" && !fields[index]);
    const issue = checkHead(columns, parameters) ?? checkSize(rows);
    if (issue)
      return { ...empty, columns, ignored, issues: [{ line: issue.line ?? head?.line ?? 1, message: issue.message }] };
    const issues: LineIssue[] = [];
    const inputs = rows.map((row) => readRow(row, fields, form, issues));
    return checkBytes({ inputs, lines: rows.map(({ line }) => line), issues, columns, ignored });
  } catch (error) {
    if (error instanceof CsvError) return { ...empty, issues: [{ line: error.line, message: error.message }] };
    throw error;
  }
}

interface FileIssue {
  /** The line, if it is not the first. */
  line?: number;
  message: string;
}

function checkHead(columns: string[], parameters: Parameter[]): FileIssue | null {
  const names = parameters.map(({ name }) => name).join(", ");
  if (columns.length === 0) return { message: `The first line has no input of this model. Its inputs are ${names}.` };
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  return twice === undefined ? null : { message: `The column ${twice} appears twice.` };
}

function checkSize(rows: CsvRecord[]): FileIssue | null {
  if (rows.length === 0) return { message: "There are no rows below the first line." };
  if (rows.length <= MAX_ROWS) return null;
  return { line: rows[MAX_ROWS]!.line, message: "A batch has at most 1,000 rows. Split the file." };
}

/** The form's values apply to each row. */
function checkBytes(read: FileInputs): FileInputs {
  const { size } = new Blob([JSON.stringify(read.inputs)]);
  if (size <= MAX_BYTES) return read;
  return { ...read, issues: [{ line: 1, message: "The inputs exceed 1 MB in total. Split the file." }] };
}

/** Returns the input of a row. An empty cell keeps the form's value. */
function readRow(
  { line, cells }: CsvRecord,
  fields: (Parameter | undefined)[],
  form: Input,
  issues: LineIssue[],
): Input {
  const input = { ...form };
  if (cells.length > fields.length)
    issues.push({
      line,
      message: `The line has ${cells.length} cells, the first line ${fields.length}. Put quotation marks around commas.`,
    });
  for (const [index, field] of fields.entries()) {
    const cell = cells[index] ?? "";
    if (!field || cell.trim() === "") continue;
    const value = readCell(cell, field.schema);
    if (value === undefined) issues.push({ line, message: `${field.name} must be ${describeType(field.schema)}.` });
    else input[field.name] = value;
  }
  return input;
}

/** Returns a cell as a value of the parameter; undefined if it is not one. The hub checks the limits. */
function readCell(cell: string, schema: Schema): unknown {
  const text = cell.trim();
  const choice = choicesOf(schema)?.find((one) => formatValue(one) === text);
  if (choice !== undefined) return choice;
  switch (typeOf(schema)) {
    case "integer":
    case "number":
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    case "boolean":
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined;
    case "array":
      return text.startsWith("[") ? parseJson(text) : typeOf(itemsOf(schema)) === "string" ? [text] : undefined;
    case "object":
      return parseJson(text);
    default:
      return cell;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeType(schema: Schema): string {
  const type = typeOf(schema);
  if (type === "boolean") return "true or false";
  return type === "array" || type === "object" ? "JSON" : "a number";
}
