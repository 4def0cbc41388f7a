import type { Queryable } from "../db/client";
import { int4, text } from "../db/column-types";
import { statement } from "../db/statement";

export interface Revision {
  id: number;
  /** YAML. */
  source: string;
}

/** Returns the catalogue that was applied last, or null. */
export async function findNewestRevision(db: Queryable): Promise<Revision | null> {
  const [row] = await selectNewest(db);
  return row ?? null;
}

// Not through the Prisma client, whose first use would delay the start by half a second.
const selectNewest = statement({
  params: [],
  row: { id: int4, source: text },
  text: "SELECT id, source FROM catalogue_revision ORDER BY id DESC LIMIT 1",
});

/** Locks the newest revision until the end of the transaction. */
export const lockRevisions = statement({
  params: [],
  row: {},
  text: "LOCK TABLE catalogue_revision IN SHARE ROW EXCLUSIVE MODE",
});
