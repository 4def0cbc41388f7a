import type { Ctx, HubParts } from "../../context";
import { array, bool, int4, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isUniqueViolation } from "../../db/violation";
import { AppError, invalidInput } from "../../errors";
import { isId, newId } from "../../lib/id";

/** The parts of the hub that collections use. */
type CollectionsHub = Pick<HubParts, "db" | "now">;

export const MAX_COLLECTION_NAME_LENGTH = 60;
const MAX_COLLECTIONS = 100;

/** Returns the account's named collections, each with how many generations it has, and how many of `ids`. */
export const listCollections = ({ hub, account }: Ctx<CollectionsHub>, ids: string[]) =>
  selectCollections(hub.db, account.id, ids);

const selectCollections = statement({
  params: [int4, array(uuid)],
  row: { id: uuid, name: notNull(text), items: notNull(int4), chosen: notNull(int4) },
  text: `
    SELECT c.id, c.name, count(i.generation_id)::int AS items,
           count(*) FILTER (WHERE i.generation_id = ANY ($2::uuid[]))::int AS chosen
    FROM collection c LEFT JOIN collection_item i ON i.collection_id = c.id
    WHERE c.account_id = $1 AND c.name IS NOT NULL
    GROUP BY c.id ORDER BY c.name`,
});

/** Returns a named collection of the account. Throws a 404 if there is none. */
export async function getCollection({ hub, account }: Ctx<CollectionsHub>, id: string) {
  const [collection] = isId(id) ? await selectCollection(hub.db, id, account.id) : [];
  return collection ?? throwMissing();
}

const selectCollection = statement({
  params: [uuid, int4],
  row: { id: uuid, name: notNull(text) },
  text: "SELECT id, name FROM collection WHERE id = $1 AND account_id = $2 AND name IS NOT NULL",
});

const throwMissing = (): never => {
  throw new AppError("resource_not_found", "There is no such collection.");
};

/** Creates an empty collection and returns its id. Throws a 400 for the name of another one, and a 409 for the 101st. */
export async function createCollection({ hub, account }: Ctx<CollectionsHub>, name: string): Promise<{ id: string }> {
  const [outcome] = await insertCollection(hub.db, newId(), account.id, name, hub.now());
  if (outcome?.id) return { id: outcome.id };
  if (!outcome?.is_full) throw nameIsTaken();
  throw new AppError("invalid_state", `An account can have ${MAX_COLLECTIONS} collections. Delete one first.`);
}

const nameIsTaken = () => invalidInput("name", "is the name of another collection.");

const insertCollection = statement({
  params: [uuid, int4, text, timestamptz],
  row: { id: nullable(uuid), is_full: bool },
  text: `
    WITH has AS (
      SELECT count(*) >= ${MAX_COLLECTIONS} AS is_full FROM collection WHERE account_id = $2 AND name IS NOT NULL
    ),
    created AS (
      INSERT INTO collection (id, account_id, name, created_at) SELECT $1, $2, $3, $4 FROM has WHERE NOT is_full
      ON CONFLICT (account_id, name) DO NOTHING
      RETURNING id
    )
    SELECT created.id, is_full FROM has LEFT JOIN created ON true`,
});

/** Renames a collection of the account. Throws a 404 if there is none, and a 400 for the name of another one. */
export async function renameCollection(
  { hub, account }: Ctx<CollectionsHub>,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (!isId(id)) throwMissing();
  const renamed = await updateName(hub.db, id, account.id, name).catch((error: unknown) => {
    throw isUniqueViolation(error) ? nameIsTaken() : error;
  });
  if (renamed.length === 0) throwMissing();
}

const updateName = statement({
  params: [uuid, int4, text],
  row: { id: uuid },
  text: "UPDATE collection SET name = $3 WHERE id = $1 AND account_id = $2 AND name IS NOT NULL RETURNING id",
});

/** Deletes a collection of the account, whose generations stay. Throws a 404 if there is none. */
export async function deleteCollection({ hub, account }: Ctx<CollectionsHub>, id: string): Promise<void> {
  const deleted = isId(id) ? await removeCollection(hub.db, id, account.id) : [];
  if (deleted.length === 0) throwMissing();
}

const removeCollection = statement({
  params: [uuid, int4],
  row: { id: uuid },
  text: "DELETE FROM collection WHERE id = $1 AND account_id = $2 AND name IS NOT NULL RETURNING id",
});
