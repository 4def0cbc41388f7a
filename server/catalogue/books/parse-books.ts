import { CatalogueError, type CatalogueIssue, formatPath } from "../catalogue-error";
import { describeYamlIssue, toLocatedMessages } from "../parse";
import { readSource } from "../source";
import type { Path, ReportIssue } from "../subschemas";
import type { Book } from "./book";
import { buildBook } from "./build-book";
import { type BookEntry, BooksShape } from "./shape";

/** Books as they are written, and what reports issues at places of the text. */
export interface ParsedBooks {
  entries: BookEntry[];
  books: Book[];
  report: ReportIssue;
  /** Throws CatalogueError if there is any issue. */
  rejectIssues: () => void;
}

/** Parses books. Throws CatalogueError with every issue of their shape and its line (docs/books.md). */
export function parseBooks(text: string, file: string, revision = 0): ParsedBooks {
  const source = readSource(text, file);
  const issues: CatalogueIssue[] = [];
  const report = (path: Path, message: string) =>
    issues.push({ line: source.lineOf(path), path: formatPath(path), message });
  const rejectIssues = () => {
    if (issues.length > 0) throw new CatalogueError(file, issues);
  };
  const parsed = BooksShape.safeParse(source.value ?? {}, { error: describeYamlIssue });
  for (const { path, message } of parsed.error?.issues.flatMap(toLocatedMessages) ?? []) report(path, message);
  rejectIssues();
  const entries = parsed.data!.books;
  checkEntries(entries, report);
  rejectIssues();
  return { entries, books: entries.map((entry) => buildBook(entry, revision)), report, rejectIssues };
}

/** Reports ids that are used twice, and discounts that are not in ascending order. */
function checkEntries(entries: BookEntry[], report: ReportIssue): void {
  const seen = new Set<string>();
  for (const [index, { id, fixed, volume_discounts: discounts }] of entries.entries()) {
    if (seen.has(id)) report(["books", index, "id"], `${id} is already used`);
    seen.add(id);
    const models = new Set<string>();
    for (const [place, { model }] of fixed.entries()) {
      if (models.has(model)) report(["books", index, "fixed", place, "model"], `${model} has a fixed price already`);
      models.add(model);
    }
    for (const [place, { from, discount }] of discounts.entries()) {
      const before = discounts[place - 1];
      if (before && (from <= before.from || discount <= before.discount))
        report(["books", index, "volume_discounts", place], "must have more volume and discount than the entry before");
    }
  }
}
