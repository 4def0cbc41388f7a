import type { Account, Ctx } from "../../context";
import { bool, int4, int8, text, uuid } from "../../db/column-types";
import type { Queryable } from "../../db/client";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { formatDecimal } from "../../lib/money";
import { lockAccount } from "../accounts";
import { operate, type Operator } from "../operator-actions";
import type { KeysHub } from "./hub";
import { type Key, keyNotFoundError, lockKey, revokeKey } from "./key";
import { rotateKey } from "./rotate";

/** Returns the account of an API key that is not revoked. Throws a 404 if there is none. */
export async function findKeyAccount(hub: KeysHub, id: string): Promise<Account> {
  const [account] = isId(id) ? await selectAccount(hub.db, id) : [];
  if (!account) throw keyNotFoundError();
  return account;
}

const selectAccount = statement({
  params: [uuid],
  row: { id: int4, email: text, member: bool, balance: int8, reserved: int8 },
  text: `
    SELECT a.id, a.email, a.member, a.balance, a.reserved FROM api_key k JOIN account a ON a.id = k.account_id
    WHERE k.id = $1 AND k.scope = 'api' AND k.revoked_at IS NULL`,
});

/**
 * Changes a key by an operator in one transaction with its row in the audit log, which has the members that changed; a change
 * of none is not recorded. Returns what `change` does. Throws a 404 if the key is not the account's, or revoked.
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

/** Returns these members of a key for the audit log, and what it is known by. */
const pick = (key: StoredKey, names: (keyof StoredKey)[]) => ({
  key: key.id,
  name: key.name,
  ...Object.fromEntries(names.map((name) => [name, toStored(key[name])])),
});

const toStored = (value: unknown): unknown => (typeof value === "bigint" ? formatDecimal(value) : value);

/** Revokes a key by an operator, as `revokeKey` does. */
export const revokeKeyByOperator = (ctx: Ctx<KeysHub>, operator: Operator, id: string): Promise<void> =>
  operateOnKey(ctx, operator, "key.revoke", id, (tx) => revokeKey(ctx, id, "api", tx));

/** Rotates the secret of a key by an operator, as `rotateKey` does. */
export const rotateKeyByOperator = (
  ctx: Ctx<KeysHub>,
  operator: Operator,
  id: string,
  graceHours: number,
): Promise<{ record: Key; key: string }> =>
  operateOnKey(ctx, operator, "key.rotate", id, (tx) => rotateKey(ctx, id, graceHours, tx));
