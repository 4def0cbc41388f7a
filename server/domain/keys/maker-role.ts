import type { Role } from "../../context";
import { nullable, textOf, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { KeysHub } from "./hub";

/**
 * Returns the role that whoever made a key has in its account now: null once they have none, and `operator` for a key that
 * no member made.
 */
export async function findMakerRole(hub: KeysHub, keyId: string): Promise<Role | "operator" | null> {
  const [maker] = await selectMaker(hub.db, keyId);
  return maker?.role ?? null;
}

const selectMaker = statement({
  params: [uuid],
  row: { role: nullable(textOf<Role | "operator">()) },
  text: `
    SELECT CASE WHEN k.person_id IS NULL THEN 'operator' ELSE m.role END AS role
    FROM api_key k LEFT JOIN membership m ON m.person_id = k.person_id AND m.account_id = k.account_id
    WHERE k.id = $1`,
});
