import type { Ctx, HubParts } from "../../context";
import { array, bool, int4, int8Number, notNull, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { decodeCursor, encodeCursor, type Page } from "../../lib/cursor";
import { newId } from "../../lib/id";
import type { Secrets } from "../../lib/signature";
import { type VisibleGeneration } from "../generations/row";
import { visibleColumns, visibleSql } from "../generations/row/sql";

/** The parts of the hub that the items of collections use. */
type ItemsHub = Pick<HubParts, "db" | "now"> & Secrets;

/** The maximum items of a collection: every page reads the ids of all favourites. */
const MAX_ITEMS = 1_000;

interface ItemsRequest {
  /** The collection; null for the favourites. */
  collection: string | null;
  /** The ids of the generations. */
  ids: string[];
  isIn: boolean;
}

/**
 * Puts generations of the account into one of its collections, or takes them out. Returns how many are put in: those that were
 * erased are left out. Throws a 404 if there is no such collection or generation, and a 409 for the 1,001st item.
 */
export async function setItems(
  { hub, account }: Ctx<ItemsHub>,
  { collection, ids, isIn }: ItemsRequest,
): Promise<{ count: number }> {
  if (!isIn) {
    await deleteItems(hub.db, collection, account.id, ids);
    return { count: 0 };
  }
  const [outcome] = await insertItems(hub.db, collection, account.id, ids, newId(), hub.now());
  if (!outcome?.is_found || outcome.count === 0) throw new AppError("resource_not_found");
  if (outcome.is_full) throw new AppError("invalid_state", describeLimit(collection));
  return { count: outcome.count };
}

const describeLimit = (collection: string | null): string =>
  collection === null
    ? `An account can have ${MAX_ITEMS} favourites. Remove one first.`
    : `A collection can have ${MAX_ITEMS} generations. Remove some first.`;

/** The account's collection `$1`, or its favourites for null. */
const chosenSql = `
  SELECT id FROM collection
  WHERE account_id = $2 AND CASE WHEN $1::uuid IS NULL THEN name IS NULL ELSE id = $1 AND name IS NOT NULL END`;

// The first favourite creates their collection. The lock waits for an erasure of a generation, after which it is no longer found.
const insertItems = statement({
  params: [nullable(uuid), int4, array(uuid), uuid, timestamptz],
  row: { count: notNull(int4), is_found: bool, is_full: bool },
  text: `
    WITH favourites AS (
      INSERT INTO collection (id, account_id, created_at) SELECT $4, $2, $5 WHERE $1::uuid IS NULL
      ON CONFLICT (account_id) WHERE name IS NULL DO UPDATE SET name = NULL
      RETURNING id
    ),
    chosen AS (
      SELECT id FROM favourites
      UNION ALL SELECT id FROM collection WHERE id = $1 AND account_id = $2 AND name IS NOT NULL
    ),
    found AS (
      SELECT id FROM generation WHERE id = ANY ($3::uuid[]) AND account_id = $2 AND erased_at IS NULL
      ORDER BY id FOR SHARE
    ),
    has AS (
      SELECT (SELECT count(*) FROM found)::int AS count, (SELECT count(*) FROM found) + (
        SELECT count(*) FROM collection_item
        WHERE collection_id = (SELECT id FROM chosen) AND generation_id <> ALL ($3::uuid[])
      ) > ${MAX_ITEMS} AS is_full
    ),
    added AS (
      INSERT INTO collection_item (collection_id, generation_id, account_id, created_at)
      SELECT chosen.id, found.id, $2, $5 FROM chosen, found, has WHERE NOT is_full
      ON CONFLICT DO NOTHING
    )
    SELECT count, EXISTS (SELECT FROM chosen) AS is_found, is_full FROM has`,
});

const deleteItems = statement({
  params: [nullable(uuid), int4, array(uuid)],
  row: {},
  text: `
    DELETE FROM collection_item
    WHERE collection_id = (${chosenSql}) AND account_id = $2 AND generation_id = ANY ($3::uuid[])`,
});

/** Returns the newest generation of each of the account's named collections, except empty ones. */
export const listCovers = ({ hub, account }: Ctx<ItemsHub>) => selectCovers(hub.db, account.id);

const selectCovers = statement({
  params: [int4],
  row: { ...visibleColumns, collection_id: uuid },
  text: `
    SELECT c.id AS collection_id, ${visibleSql}
    FROM collection c
    CROSS JOIN LATERAL (
      SELECT generation_id FROM collection_item WHERE collection_id = c.id ORDER BY generation_id DESC LIMIT 1
    ) i
    JOIN generation g ON g.id = i.generation_id
    WHERE c.account_id = $1 AND c.name IS NOT NULL`,
});

/** Returns the ids of all favourites of the account. */
export async function listFavouriteIds({ hub, account }: Ctx<ItemsHub>): Promise<string[]> {
  return (await selectFavouriteIds(hub.db, account.id)).map(({ id }) => id);
}

const selectFavouriteIds = statement({
  params: [int4],
  row: { id: uuid },
  text: `
    SELECT i.generation_id AS id FROM collection c JOIN collection_item i ON i.collection_id = c.id
    WHERE c.account_id = $1 AND c.name IS NULL ORDER BY i.generation_id`,
});

/** Returns a page of the generations of a collection, or of the favourites for null; the newest generation first. */
export async function listItems(
  { hub, account }: Ctx<ItemsHub>,
  { collection, limit, cursor }: { collection: string | null; limit: number; cursor?: string },
): Promise<Page<VisibleGeneration>> {
  const scope = JSON.stringify(["collection", account.id, collection]);
  const before = cursor === undefined ? null : decodeCursor(hub, scope, cursor);
  const rows = await selectItems(hub.db, collection, account.id, before, limit + 1);
  const data = rows.slice(0, limit);
  const next_cursor = rows.length > limit ? encodeCursor(hub.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor };
}

const selectItems = statement({
  params: [nullable(uuid), int4, nullable(uuid), int8Number],
  row: visibleColumns,
  text: `
    SELECT ${visibleSql} FROM collection_item i JOIN generation g ON g.id = i.generation_id
    WHERE i.collection_id = (${chosenSql}) AND ($3::uuid IS NULL OR i.generation_id < $3)
    ORDER BY i.generation_id DESC LIMIT $4`,
});
