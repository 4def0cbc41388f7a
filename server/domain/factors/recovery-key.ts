import { createHash } from "node:crypto";
import type { Queryable } from "../../db/client";
import { bool, bytea, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { decryptByAny, encrypt } from "../../lib/encryption";
import { newReencryption, reencrypt, type Reencryption } from "../../lib/reencryption";
import { deriveKeys } from "../../lib/signature";
import type { FactorsHub } from "./hub";

/** Returns the keys that hash recovery codes, derived from the hub's secrets; the first one hashes new codes. */
export const getRecoveryKeys = (hub: FactorsHub): Buffer[] => deriveKeys(hub, "generation-hub recovery codes");

/**
 * Returns the retained keys of earlier secrets. They are needed because a hash cannot be recomputed without its code. A
 * key that an unknown secret encrypted is left out.
 */
export async function findRetainedKeys(db: Queryable, hub: FactorsHub): Promise<Buffer[]> {
  return (await selectKeys(db)).flatMap(({ fingerprint, key }) => {
    try {
      return [Buffer.from(decryptByAny(getWrappingKeys(hub), describeOwner(fingerprint), key), "base64")];
    } catch (error) {
      hub.log.error({ err: error }, "key of recovery codes not decrypted");
      return [];
    }
  });
}

/** Encrypts all retained keys with the hub's secret, and retains the key of the previous secret if there are codes. */
export async function reencryptRecoveryKeys(tx: Queryable, hub: FactorsHub): Promise<Reencryption> {
  const result = newReencryption();
  const wrappingKeys = getWrappingKeys(hub);
  for (const { fingerprint, key } of await selectKeys(tx)) {
    const changed = reencrypt(result, wrappingKeys, describeOwner(fingerprint), key);
    if (changed) await updateKey(tx, fingerprint, changed);
  }
  const previous = getRecoveryKeys(hub)[1];
  if (!previous) return result;
  const fingerprint = createHash("sha256").update(previous).digest();
  const encrypted = encrypt(wrappingKeys[0]!, describeOwner(fingerprint), previous.toString("base64"));
  const inserted = await insertKey(tx, fingerprint, encrypted, hub.now());
  result.changed += inserted.length;
  return result;
}

const getWrappingKeys = (hub: FactorsHub): Buffer[] => deriveKeys(hub, "generation-hub retained keys");
const describeOwner = (fingerprint: Buffer): string => `recovery codes ${fingerprint.toString("hex")}`;

const selectKeys = statement({
  params: [],
  row: { fingerprint: bytea, key: bytea },
  text: "SELECT fingerprint, key FROM recovery_key",
});

const updateKey = statement({
  params: [bytea, bytea],
  row: {},
  text: "UPDATE recovery_key SET key = $2 WHERE fingerprint = $1",
});

const insertKey = statement({
  params: [bytea, bytea, timestamptz],
  row: { inserted: bool },
  text: `
    INSERT INTO recovery_key (fingerprint, key, created_at)
    SELECT $1, $2, $3 WHERE EXISTS (SELECT FROM recovery_code)
    ON CONFLICT (fingerprint) DO NOTHING RETURNING true AS inserted`,
});
