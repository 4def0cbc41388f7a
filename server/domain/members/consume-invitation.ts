import type { Role } from "../../context";
import { bytea, int4, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";

/** Deletes the invitation with the hash `$1` and returns it; returns no row if it was used, withdrawn or has expired. */
export const consumeInvitation = statement({
  params: [bytea, timestamptz],
  row: { account_id: int4, role: textOf<Role>() },
  text: "DELETE FROM invitation WHERE hash = $1 AND expires_at > $2 RETURNING account_id, role",
});
