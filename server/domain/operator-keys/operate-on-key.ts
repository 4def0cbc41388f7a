import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { formatDecimal } from "../../lib/money";
import { lockAccount } from "../accounts";
import { type Key, keyNotFoundError, type KeysHub, lockKey } from "../keys";
import { operate, type Operator } from "../operator-actions";

/**
 * Changes a key on behalf of an operator, in one transaction with a row in the audit log that has the changed members; if none
 * changed, there is no row. Returns the result of `change`. Throws a 404 if the key is not the account's, or revoked.
 */
export async function operateOnKey<T>(
  { hub, account }: Ctx<KeysHub>,
  operator: Operator,
  action: string,
  id: string,
  change: (tx: Queryable) => Promise<T>,
): Promise<T> {
  let outcome: T;
  const target = { kind: "account", id: String(account.id) };
  await operate(hub, operator, { action, target }, async (tx) => {
    // The account is locked before the key, as in every other change of keys.
    await lockAccount(tx, account.id);
    const [before] = await lockKey(tx, id, account.id);
    if (!before) throw keyNotFoundError();
    outcome = await change(tx);
    const [after] = await lockKey(tx, id, account.id);
    const changed = after ? findChangedMembers(before, after) : [];
    if (after && changed.length === 0) return null;
    return { before: pick(before, changed), after: after ? pick(after, changed) : null, result: undefined };
  });
  return outcome!;
}

type StoredKey = Omit<Key, "spent">;

const findChangedMembers = (before: StoredKey, after: StoredKey): (keyof StoredKey)[] =>
  (Object.keys(before) as (keyof StoredKey)[]).filter(
    (name) => JSON.stringify(toStored(before[name])) !== JSON.stringify(toStored(after[name])),
  );

/** Returns these members of a key for the audit log, with its id and name. */
const pick = (key: StoredKey, names: (keyof StoredKey)[]) => ({
  key: key.id,
  name: key.name,
  ...Object.fromEntries(names.map((name) => [name, toStored(key[name])])),
});

const toStored = (value: unknown): unknown => (typeof value === "bigint" ? formatDecimal(value) : value);
