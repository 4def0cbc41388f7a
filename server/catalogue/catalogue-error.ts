import type { Path } from "./subschemas";

export interface CatalogueIssue {
  /** Starts at 1; 0 for an issue of the whole file. */
  line: number;
  /** Such as `models[3].routes[0].provider`; empty for the whole file. */
  path: string;
  message: string;
}

/** Lists every issue of a catalogue, one per line of the message, in the order of the file. */
export class CatalogueError extends Error {
  override readonly name = "CatalogueError";
  readonly issues: CatalogueIssue[];
  constructor(
    readonly file: string,
    issues: CatalogueIssue[],
  ) {
    const sorted = [...issues].sort((a, b) => a.line - b.line);
    super(sorted.map((issue) => formatIssue(file, issue)).join("\n"));
    this.issues = sorted;
  }
}

export const isCatalogueError = (error: unknown): error is CatalogueError => error instanceof CatalogueError;

const formatIssue = (file: string, { line, path, message }: CatalogueIssue) =>
  [line > 0 ? `${file}:${line}` : file, path, message].filter(Boolean).join(": ");

/** Returns a path as people write it, such as `models[3].match["a b"]`. */
export const formatPath = (path: Path): string =>
  path
    .map((part) => {
      if (typeof part === "number") return `[${part}]`;
      return /^[\w$-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join("")
    .replace(/^\./, "");
