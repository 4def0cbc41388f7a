import { int4, nullable, text, timestamptz } from "../db/column-types";
import { statement } from "../db/statement";
import type { Queryable } from "../db/client";
import { readVariableNames } from "../env";
import { parseCatalogue } from "./parse";
import { rejectOpenKeys } from "./reject-open-keys";

/** Running hubs listen on this channel and reload the catalogue. */
export const CATALOGUE_CHANNEL = "hub_catalogue";

/**
 * Stores a catalogue as the newest revision, notifies every running hub, and returns the number of the revision. Throws
 * CatalogueError without any change if it is invalid or lacks a key that jobs run with. Values of variables are not needed here, because each hub has its own.
 */
export async function applyCatalogue(db: Queryable, source: string, now: Date, file = "catalogue"): Promise<number> {
  const catalogue = parseCatalogue(source, { file, variables: readVariableNames() });
  await rejectOpenKeys(db, catalogue, { source, file });
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
