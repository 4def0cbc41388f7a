import { array, text, textOf } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Tombstone } from "../../storage/tombstones";

/** What can be erased by its id. */
export type ErasureKind = Tombstone["kind"];

/** Inserts what is to be erased: `$2` has ids of the kind `$1`. */
export const insertPending = statement({
  params: [textOf<ErasureKind>(), array(text)],
  row: {},
  text: "INSERT INTO pending_erasure (kind, id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING",
});
