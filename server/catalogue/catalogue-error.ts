import type { Path } from "./subschemas";

export interface CatalogueIssue {
  /** Counts from 1; 0 when the fault is the file's as a whole. */
  line: number;
  /** As `models[3].routes[0].provider`; empty for the whole file. */
  path: string;
  message: string;
}

/** Every fault of a catalogue, one a line of the message, in the order of the file. */
export class CatalogueError extends Error {
  override readonly name = "CatalogueError";
  readonly faults: CatalogueIssue[];
  constructor(
    readonly file: string,
    faults: CatalogueIssue[],
  ) {
    const sorted = [...faults].sort((a, b) => a.line - b.line);
    super(sorted.map((fault) => printFault(file, fault)).join("\n"));
    this.faults = sorted;
  }
}

const printFault = (file: string, { line, path, message }: CatalogueIssue) =>
  [line > 0 ? `${file}:${line}` : file, path, message].filter(Boolean).join(": ");

/** A path as people write it: `models[3].match["a b"]`. */
export const formatPath = (path: Path): string =>
  path
    .map((part) => {
      if (typeof part === "number") return `[${part}]`;
      return /^[\w$-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join("")
    .replace(/^\./, "");
