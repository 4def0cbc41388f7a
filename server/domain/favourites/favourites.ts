import type { Ctx, HubParts } from "../../context";
import { bool, int4, int8Number, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { decodeCursor, encodeCursor, type Page } from "../../lib/cursor";
import { isId } from "../../lib/id";
import type { Secrets } from "../../lib/signature";
import { type VisibleGeneration } from "../generations/row";
import { visibleColumns, visibleSql } from "../generations/row/sql";

/** What favourites need of the hub. */
type FavouritesHub = Pick<HubParts, "db" | "now"> & Secrets;

/** The favourites of an account, all of whose ids every page reads. */
const MAX_FAVOURITES = 1_000;

/**
 * Makes a generation of the account a favourite, or no longer. Throws a 404 for one that is another account's or was erased, and a
 * 409 for the 1,001st favourite.
 */
export async function setFavourite(
  { hub, account }: Ctx<FavouritesHub>,
  { id, isFavourite }: { id: string; isFavourite: boolean },
): Promise<void> {
  if (!isFavourite) {
    await deleteFavourite(hub.db, id, account.id);
    return;
  }
  const [outcome] = isId(id) ? await insertFavourite(hub.db, id, account.id, hub.now()) : [];
  if (!outcome?.is_found) throw new AppError("resource_not_found");
  if (outcome.is_full)
    throw new AppError("invalid_state", `An account can have ${MAX_FAVOURITES} favourites. Remove one first.`);
}

// The lock waits for an erasure of the generation, after which it is no longer found.
const insertFavourite = statement({
  params: [uuid, int4, timestamptz],
  row: { is_found: bool, is_full: bool },
  text: `
    WITH found AS (
      SELECT id, account_id FROM generation WHERE id = $1 AND account_id = $2 AND erased_at IS NULL FOR SHARE
    ),
    has AS (SELECT count(*) >= ${MAX_FAVOURITES} AS is_full FROM favourite WHERE account_id = $2 AND generation_id <> $1),
    added AS (
      INSERT INTO favourite (generation_id, account_id, created_at)
      SELECT id, account_id, $3 FROM found, has WHERE NOT is_full
      ON CONFLICT DO NOTHING
    )
    SELECT EXISTS (SELECT FROM found) AS is_found, (SELECT is_full FROM has) AS is_full`,
});

const deleteFavourite = statement({
  params: [uuid, int4],
  row: {},
  text: "DELETE FROM favourite WHERE generation_id = $1 AND account_id = $2",
});

/** Returns the ids of all favourites of the account. */
export async function listFavouriteIds({ hub, account }: Ctx<FavouritesHub>): Promise<string[]> {
  return (await selectIds(hub.db, account.id)).map(({ id }) => id);
}

const selectIds = statement({
  params: [int4],
  row: { id: uuid },
  text: "SELECT generation_id AS id FROM favourite WHERE account_id = $1 ORDER BY generation_id",
});

/** Returns a page of the account's favourites, the newest generation first. */
export async function listFavourites(
  { hub, account }: Ctx<FavouritesHub>,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Page<VisibleGeneration>> {
  const scope = JSON.stringify(["favourites", account.id]);
  const before = cursor === undefined ? null : decodeCursor(hub, scope, cursor);
  const rows = await selectFavourites(hub.db, account.id, before, limit + 1);
  const data = rows.slice(0, limit);
  const next_cursor = rows.length > limit ? encodeCursor(hub.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor };
}

const selectFavourites = statement({
  params: [int4, nullable(uuid), int8Number],
  row: visibleColumns,
  text: `
    SELECT ${visibleSql} FROM favourite s JOIN generation g ON g.id = s.generation_id
    WHERE s.account_id = $1 AND ($2::uuid IS NULL OR s.generation_id < $2) ORDER BY s.generation_id DESC LIMIT $3`,
});
