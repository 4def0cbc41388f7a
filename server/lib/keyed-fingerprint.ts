import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveEncryptionKey } from "./encryption";
import { listSecrets, type Secrets } from "./signature";

/** The length of a block of SHA-256, to which HMAC pads its key. */
const BLOCK_BYTES = 64;

const toKey = (secret: string): Buffer => deriveEncryptionKey(secret, "generation-hub erased fingerprints");

/**
 * SQL for the HMAC of the column `fingerprint`, because the fingerprint of a short prompt can be guessed. Postgres has SHA-256 without an
 * extension, but no HMAC. The parameters are those of `getFingerprintPads`.
 */
export const keyedFingerprintSql = "sha256(:outer_pad::bytea || sha256(:inner_pad::bytea || fingerprint))";

/** Returns the parameters of `keyedFingerprintSql`. */
export function getFingerprintPads({ secret }: Secrets): { inner_pad: Buffer; outer_pad: Buffer } {
  const key = Buffer.concat([toKey(secret), Buffer.alloc(BLOCK_BYTES)]).subarray(0, BLOCK_BYTES);
  const pad = (byte: number) => Buffer.from(key.map((one) => one ^ byte));
  return { inner_pad: pad(0x36), outer_pad: pad(0x5c) };
}

/** Returns whether a stored fingerprint is that of a request, as it was or keyed by an erasure. */
export function matchesFingerprint(secrets: Secrets, stored: Buffer | null, fingerprint: Buffer): boolean {
  if (!stored) return false;
  const keyed = listSecrets(secrets).map((secret) => createHmac("sha256", toKey(secret)).update(fingerprint).digest());
  return [fingerprint, ...keyed].some((one) => timingSafeEqual(one, stored));
}
