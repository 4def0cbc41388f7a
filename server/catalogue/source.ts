import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import { CatalogueError, type CatalogueIssue } from "./catalogue-error";
import { measureValue } from "./measure-value";
import type { Path } from "./subschemas";

const MAX_CHARACTERS = 1_048_576;
const MAX_ALIASES = 1_000;
/** Limit of values with aliases expanded. */
const MAX_VALUES = 500_000;
const MAX_DEPTH = 100;
const MAX_SYNTAX_ISSUES = 20;

/** A parsed YAML document with the lines of its values. */
export interface Source {
  value: unknown;
  /** Returns the line of the value at the path, or of its closest existing parent. */
  lineOf: (path: Path) => number;
}

/** Parses YAML. Throws CatalogueError for a syntax error, for several documents and for a document over the limits. */
export function readSource(text: string, file: string): Source {
  if (text.length > MAX_CHARACTERS) throw createFileError(file, `is larger than ${MAX_CHARACTERS} characters`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const issues = [...findSyntaxIssues(document, lines), ...findAliasIssues(document, lines)];
  if (issues.length > 0) throw new CatalogueError(file, issues);
  // Aliases share their value, so this is cheap. The count below includes each use.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const { count, depth, storable } = measureValue(value, MAX_VALUES, MAX_DEPTH);
  if (depth > MAX_DEPTH) throw createFileError(file, `is nested deeper than ${MAX_DEPTH} levels`);
  if (count > MAX_VALUES) throw createFileError(file, `contains more than ${MAX_VALUES} values with aliases expanded`);
  if (!storable || text.includes("\0"))
    throw createFileError(file, "contains a NUL or a lone surrogate, which cannot be stored");
  return { value, lineOf: (path) => lines.linePos(findOffset(document, path)).line };
}

const createFileError = (file: string, message: string) => new CatalogueError(file, [{ line: 0, path: "", message }]);

const findSyntaxIssues = (document: Document, lines: LineCounter): CatalogueIssue[] =>
  [...document.errors, ...document.warnings]
    .slice(0, MAX_SYNTAX_ISSUES)
    .map(({ message, pos }) => ({ line: lines.linePos(pos[0]).line, path: "", message }));

function findAliasIssues(document: Document, lines: LineCounter): CatalogueIssue[] {
  const issues: CatalogueIssue[] = [];
  const anchors = new Set<string>();
  let count = 0;
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if ("anchor" in node && node.anchor) anchors.add(node.anchor);
        return undefined;
      }
      const line = lines.linePos(node.range?.[0] ?? 0).line;
      if (!anchors.has(node.source))
        issues.push({ line, path: "", message: `uses the undefined anchor &${node.source}` });
      count += 1;
      if (count <= MAX_ALIASES) return undefined;
      issues.push({ line, path: "", message: `exceeds the limit of ${MAX_ALIASES} aliases` });
      return visit.BREAK;
    },
  });
  return issues;
}

function findOffset(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) break;
      offset = getStart(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && node.items[Number(part)] !== undefined) {
      node = node.items[Number(part)];
      offset = getStart(node) ?? offset;
    } else break;
  }
  return offset;
}

const getStart = (node: unknown): number | undefined =>
  typeof node === "object" && node !== null && "range" in node ? (node.range as number[] | null)?.[0] : undefined;
