import { randomBytes } from "node:crypto";
import type { HubParts } from "../../context";
import type { Queryable } from "../../db/client";
import { bytea } from "../../db/column-types";
import { statement } from "../../db/statement";
import { decryptByAny, encrypt } from "../../lib/encryption";
import { newReencryption, reencrypt, type Reencryption } from "../../lib/reencryption";
import { deriveKeys, type Secrets } from "../../lib/signature";

const KEY_BYTES = 32;
/** What the stored key is encrypted for. */
const OWNER = "end users";

const getWrappingKeys = (secrets: Secrets): Buffer[] => deriveKeys(secrets, "generation-hub end users");

/**
 * Returns the hub's key for hashes of end users, which the first start creates. It is random and stored encrypted, so that the
 * spending of end users is still found after `HUB_SECRET` changes. Without the secret that encrypted it, their budgets start
 * over.
 */
export async function openEndUserKey({ db, log, ...secrets }: Pick<HubParts, "db" | "log"> & Secrets): Promise<Buffer> {
  const wrappingKeys = getWrappingKeys(secrets);
  if ((await selectKey(db)).length === 0)
    await insertKey(db, encrypt(wrappingKeys[0]!, OWNER, randomBytes(KEY_BYTES).toString("base64")));
  // Another process may have created it meanwhile.
  const [stored] = await selectKey(db);
  try {
    return Buffer.from(decryptByAny(wrappingKeys, OWNER, stored!.key), "base64");
  } catch (error) {
    log.error({ err: error }, "key of end users not decrypted: budgets for each end user start over");
    return wrappingKeys[0]!;
  }
}

/** Encrypts the key with the hub's secret. */
export async function reencryptEndUserKey(tx: Queryable, secrets: Secrets): Promise<Reencryption> {
  const result = newReencryption();
  for (const { key } of await selectKey(tx)) {
    const changed = reencrypt(result, getWrappingKeys(secrets), OWNER, key);
    if (changed) await updateKey(tx, changed);
  }
  return result;
}

const selectKey = statement({ params: [], row: { key: bytea }, text: "SELECT key FROM end_user_key" });

const insertKey = statement({
  params: [bytea],
  row: {},
  text: "INSERT INTO end_user_key (key) VALUES ($1) ON CONFLICT DO NOTHING",
});

const updateKey = statement({ params: [bytea], row: {}, text: "UPDATE end_user_key SET key = $1" });
