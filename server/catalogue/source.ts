import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import { CatalogueError, type CatalogueIssue } from "./catalogue-error";
import { measureValue } from "./measure-value";
import type { Path } from "./subschemas";

const MAX_CHARACTERS = 1_048_576;
const MAX_ALIASES = 1_000;
/** Values after aliases are written out. */
const MAX_VALUES = 500_000;
const MOST_DEPTH = 100;
const MAX_SYNTAX_FAULTS = 20;

/** A catalogue as it was written. */
export interface Source {
  value: unknown;
  /** The line of what stands at the path, or of what should have held it. */
  lineOf: (path: Path) => number;
}

/** Reads YAML, or throws CatalogueError: bad syntax, more than one document, or more than any catalogue needs. */
export function readSource(text: string, file: string): Source {
  if (text.length > MAX_CHARACTERS) throw whole(file, `is larger than ${MAX_CHARACTERS} characters`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const faults = [...syntaxFaults(document, lines), ...aliasFaults(document, lines)];
  if (faults.length > 0) throw new CatalogueError(file, faults);
  // Aliases share their value, so this is cheap whatever they would grow to; the count below follows every one.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const { count, depth, storable } = measureValue(value, MAX_VALUES, MOST_DEPTH);
  if (depth > MOST_DEPTH) throw whole(file, `is nested deeper than ${MOST_DEPTH} levels`);
  if (count > MAX_VALUES) throw whole(file, `holds more than ${MAX_VALUES} values with its aliases written out`);
  if (!storable || text.includes("\0")) throw whole(file, "holds a NUL or half a surrogate pair, which no text may");
  return { value, lineOf: (path) => lines.linePos(offsetOf(document, path)).line };
}

const whole = (file: string, message: string) => new CatalogueError(file, [{ line: 0, path: "", message }]);

const syntaxFaults = (document: Document, lines: LineCounter): CatalogueIssue[] =>
  [...document.errors, ...document.warnings]
    .slice(0, MAX_SYNTAX_FAULTS)
    .map(({ message, pos }) => ({ line: lines.linePos(pos[0]).line, path: "", message }));

function aliasFaults(document: Document, lines: LineCounter): CatalogueIssue[] {
  const faults: CatalogueIssue[] = [];
  const anchors = new Set<string>();
  let count = 0;
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if ("anchor" in node && node.anchor) anchors.add(node.anchor);
        return undefined;
      }
      const line = lines.linePos(node.range?.[0] ?? 0).line;
      if (!anchors.has(node.source)) faults.push({ line, path: "", message: `there is no &${node.source} before it` });
      count += 1;
      if (count <= MAX_ALIASES) return undefined;
      faults.push({ line, path: "", message: `is one of more than ${MAX_ALIASES} aliases` });
      return visit.BREAK;
    },
  });
  return faults;
}

function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) break;
      offset = rangeStart(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && node.items[Number(part)] !== undefined) {
      node = node.items[Number(part)];
      offset = rangeStart(node) ?? offset;
    } else break;
  }
  return offset;
}

const rangeStart = (node: unknown): number | undefined =>
  typeof node === "object" && node !== null && "range" in node ? (node.range as number[] | null)?.[0] : undefined;
