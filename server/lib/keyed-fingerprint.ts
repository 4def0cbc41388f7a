import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveEncryptionKey } from "./encryption";
import { getHmacPads, hmacSql } from "./hmac-sql";
import { listSecrets, type Secrets } from "./signature";

const toKey = (secret: string): Buffer => deriveEncryptionKey(secret, "generation-hub erased fingerprints");

/** SQL for the HMAC of the column `fingerprint`, because the fingerprint of a short prompt can be guessed. */
export const keyedFingerprintSql = hmacSql("fingerprint");

/** Returns the parameters of `keyedFingerprintSql`. */
export const getFingerprintPads = ({ secret }: Secrets) => getHmacPads(toKey(secret));

/** Returns whether a stored fingerprint is that of a request, as it was or keyed by an erasure. */
export function matchesFingerprint(secrets: Secrets, stored: Buffer | null, fingerprint: Buffer): boolean {
  if (!stored) return false;
  const keyed = listSecrets(secrets).map((secret) => createHmac("sha256", toKey(secret)).update(fingerprint).digest());
  return [fingerprint, ...keyed].some((one) => timingSafeEqual(one, stored));
}
