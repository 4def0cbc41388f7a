import type { Metadata } from "../../context";
import type { Queryable } from "../../db/client";
import { array, int4, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";

/** What a budget covers: API keys, a member's generations, generations with these metadata pairs, or each end user separately. */
export type BudgetScope = { keys: string[] } | { member: number } | { metadata: Metadata } | { each_end_user: true };

/**
 * Returns SQL for whether a budget's scope covers a generation. `scope` is an expression; the others are the generation's
 * columns. A member's spending is that of their keys, and what they start in the console.
 */
export const isCoveredSql = (
  scope: string,
  g: Record<"keyId" | "personId" | "metadata" | "endUser", string>,
): string => `
  CASE WHEN ${scope} ? 'keys' THEN ${scope} -> 'keys' ? ${g.keyId}::text
       WHEN ${scope} ? 'member' THEN
         (${scope} ->> 'member')::integer = coalesce(${g.personId}, (SELECT person_id FROM api_key WHERE id = ${g.keyId}))
       WHEN ${scope} ? 'metadata' THEN ${g.metadata} @> (${scope} -> 'metadata')
       ELSE ${g.endUser} IS NOT NULL END`;

/** Returns SQL for the hash of the end user whose spending a budget counts separately; empty if it counts all together. */
export const countedHashSql = (scope: string, endUserHash: string): string =>
  `CASE WHEN ${scope} ? 'each_end_user' THEN ${endUserHash} ELSE '' END`;

/** Throws a 400 for keys that are not the account's, and for a person who is not a member. */
export async function checkScope(tx: Queryable, accountId: number, scope: BudgetScope): Promise<void> {
  if ("keys" in scope) {
    const known = await selectKeys(tx, accountId, scope.keys);
    if (known.length < scope.keys.length) throw invalidInput("scope.keys", "must be ids of the account's API keys");
  }
  if ("member" in scope && !(await isMember(tx, accountId, scope.member)))
    throw invalidInput("scope.member", "must be the id of a member of the account");
}

const isMember = async (db: Queryable, accountId: number, personId: number): Promise<boolean> =>
  (await selectMember(db, accountId, personId)).length > 0;

const selectKeys = statement({
  params: [int4, array(text)],
  row: { id: text },
  text: "SELECT id::text FROM api_key WHERE account_id = $1 AND id::text = ANY ($2::text[])",
});

const selectMember = statement({
  params: [int4, int4],
  row: { person_id: int4 },
  text: "SELECT person_id FROM membership WHERE account_id = $1 AND person_id = $2",
});
