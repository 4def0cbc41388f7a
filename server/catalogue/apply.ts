import { int4, nullable, text, timestamptz } from "../db/column-types";
import { statement } from "../db/statement";
import type { Queryable } from "../db/client";
import { type Env, readVariableNames } from "../env";
import { rejectBookIssues } from "./books/find-book-issues";
import { parseCatalogue } from "./parse";
import { rejectOpenKeys } from "./reject-open-keys";

/** Running hubs listen on this channel and reload the catalogue. */
export const CATALOGUE_CHANNEL = "hub_catalogue";

interface ApplyOptions {
  now: Date;
  env: Pick<Env, "SANDBOX">;
  /** The name of the text in messages about issues. */
  file?: string;
}

/**
 * Stores a catalogue as the newest revision, notifies every running hub, and returns the number of the revision. Throws
 * CatalogueError without any change if it is invalid, removes a provider key that unfinished jobs use or does not fit the applied
 * price books. Values of variables are not needed here, because each hub has its own.
 */
export async function applyCatalogue(
  db: Queryable,
  source: string,
  { now, env, file = "catalogue" }: ApplyOptions,
): Promise<number> {
  const catalogue = parseCatalogue(source, { file, variables: readVariableNames() });
  await rejectOpenKeys(db, catalogue, { source, file });
  await rejectBookIssues(db, catalogue.models, { env, file });
  const [row] = await insertRevision(db, source, now, CATALOGUE_CHANNEL);
  return row!.id;
}

const insertRevision = statement({
  params: [text, timestamptz, text],
  row: { id: int4, notified: nullable(text) },
  text: `
    WITH revision AS (INSERT INTO catalogue_revision (source, applied_at) VALUES ($1, $2) RETURNING id)
    SELECT id, pg_notify($3, id::text)::text AS notified FROM revision`,
});
