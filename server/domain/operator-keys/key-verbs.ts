import type { Account, Ctx } from "../../context";
import { isId } from "../../lib/id";
import { getAccountById, lockActiveAccount } from "../accounts";
import { createKey, type Key, keyNotFoundError, type KeyRequest, type KeysHub, revokeKey, rotateKey } from "../keys";
import { changeKey, type LedgerHub } from "../ledger";
import { operate, type Operator } from "../operator-actions";
import { operateOnKey } from "./operate-on-key";

/** Returns the account of an API key that is not revoked. Throws a 404 if there is none. */
export async function findKeyAccount(hub: KeysHub, id: string): Promise<Account> {
  const where = { id, scope: "api", revokedAt: null };
  const key = isId(id) ? await hub.db.prisma.apiKey.findFirst({ where, select: { accountId: true } }) : null;
  if (!key) throw keyNotFoundError();
  return getAccountById(hub, key.accountId);
}

/** Creates an API key on behalf of an operator, as `createKey` does. Throws a 409 for a suspended account. */
export async function createKeyByOperator(
  hub: KeysHub,
  operator: Operator,
  accountId: number,
  request: KeyRequest,
): ReturnType<typeof createKey> {
  const action = { action: "key.create", target: { kind: "account", id: String(accountId) } };
  const created = await operate(hub, operator, action, async (tx) => {
    await lockActiveAccount(tx, accountId);
    const result = await createKey(hub, accountId, request, { kind: "user" }, tx);
    const { id, name, prefix } = result.record;
    return { before: null, after: { key: id, name, prefix }, result };
  });
  return created!;
}

/** Changes a key on behalf of an operator, as `changeKey` does. */
export const changeKeyByOperator = (
  ctx: Ctx<LedgerHub>,
  operator: Operator,
  id: string,
  change: Parameters<typeof changeKey>[2],
): Promise<Key> => changeKey(ctx, id, change, (apply) => operateOnKey(ctx, operator, "key.update", id, apply));

/** Rotates the secret of a key on behalf of an operator, as `rotateKey` does. Throws a 409 for a suspended account too. */
export const rotateKeyByOperator = (
  ctx: Ctx<KeysHub>,
  operator: Operator,
  id: string,
  graceHours: number,
): Promise<{ record: Key; key: string }> =>
  operateOnKey(ctx, operator, "key.rotate", id, async (tx) => {
    await lockActiveAccount(tx, ctx.account.id);
    return rotateKey(ctx, id, graceHours, tx);
  });

/** Revokes a key on behalf of an operator, as `revokeKey` does. */
export const revokeKeyByOperator = (ctx: Ctx<KeysHub>, operator: Operator, id: string): Promise<void> =>
  operateOnKey(ctx, operator, "key.revoke", id, (tx) => revokeKey(ctx, id, "api", tx));
