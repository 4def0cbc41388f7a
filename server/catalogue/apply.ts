import type { Db } from "../db/client";
import { parseCatalogue } from "./parse";

/** Running hubs listen on this channel and load the catalogue anew. */
export const CATALOGUE_CHANNEL = "hub_catalogue";

/**
 * Puts a catalogue in force, here and in every running hub, and answers its revision. A faulty one changes nothing:
 * CatalogueError. Variables are not needed for that; each hub has its own.
 */
export async function applyCatalogue(db: Db, text: string, now: Date, file = "catalogue"): Promise<number> {
  parseCatalogue(text, { file, variables: {} });
  const [row] = await db.query<{ id: number }>(
    `WITH revision AS (INSERT INTO catalogue_revision (source, applied_at) VALUES ($1, $2) RETURNING id)
     SELECT id, pg_notify($3, id::text) FROM revision`,
    [text, now, CATALOGUE_CHANNEL],
  );
  return row!.id;
}
