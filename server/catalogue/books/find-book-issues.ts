import type { Queryable } from "../../db/client";
import type { Env } from "../../env";
import { CatalogueError, type CatalogueIssue, isCatalogueError } from "../catalogue-error";
import { toOffered } from "../load";
import type { Model } from "../model";
import { checkBooks } from "./check-books";
import { findBooksRevision } from "./load-books";
import { parseBooks } from "./parse-books";

/**
 * Returns the issues of the applied price books with these models: prices below cost, and models that the books name but the
 * catalogue does not offer. The issues are of the catalogue as a whole, and name the line of the books.
 */
export async function findBookIssues(
  db: Queryable,
  models: Model[],
  env: Pick<Env, "SANDBOX">,
): Promise<CatalogueIssue[]> {
  const revision = await findBooksRevision(db);
  if (!revision) return [];
  const { id, source } = revision;
  try {
    await checkBooks(parseBooks(source, "books", id), toOffered(models, env));
    return [];
  } catch (error) {
    if (!isCatalogueError(error)) throw error;
    return error.issues.map(({ line, path, message }) => ({
      line: 0,
      path: "",
      message: `price books, revision ${id}, line ${line}: ${path} ${message}`,
    }));
  }
}

/** Throws CatalogueError for a catalogue that does not fit the applied price books. */
export async function rejectBookIssues(
  db: Queryable,
  models: Model[],
  { env, file }: { env: Pick<Env, "SANDBOX">; file: string },
): Promise<void> {
  const issues = await findBookIssues(db, models, env);
  if (issues.length > 0) throw new CatalogueError(file, issues);
}
