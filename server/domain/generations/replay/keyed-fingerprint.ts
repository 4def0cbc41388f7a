import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveEncryptionKey } from "../../../lib/encryption";
import type { ReplayHub } from "./hub";

type Secrets = Pick<ReplayHub, "secret" | "previousSecret">;

/** The length of a block of SHA-256, to which HMAC pads its key. */
const BLOCK_BYTES = 64;

const toKey = (secret: string): Buffer => deriveEncryptionKey(secret, "generation-hub erased fingerprints");

/**
 * SQL for the HMAC of `fingerprint` with the key of `getFingerprintPads`: the fingerprint of a short prompt could be guessed.
 * Postgres has SHA-256 without an extension, but no HMAC.
 */
export const keyedFingerprintSql = "sha256(:outer_pad::bytea || sha256(:inner_pad::bytea || fingerprint))";

/** Returns the parameters of `keyedFingerprintSql`, so that the key itself is never sent to Postgres. */
export function getFingerprintPads({ secret }: Secrets): { inner_pad: Buffer; outer_pad: Buffer } {
  const key = Buffer.concat([toKey(secret), Buffer.alloc(BLOCK_BYTES)]).subarray(0, BLOCK_BYTES);
  const pad = (byte: number) => Buffer.from(key.map((one) => one ^ byte));
  return { inner_pad: pad(0x36), outer_pad: pad(0x5c) };
}

/** Returns whether a stored fingerprint is the one of a request, as it is or keyed after an erasure. */
export function matchesFingerprint({ secret, previousSecret }: Secrets, stored: Buffer | null, fingerprint: Buffer) {
  if (!stored) return false;
  const keyed = [secret, previousSecret].flatMap((one) =>
    one === undefined ? [] : [createHmac("sha256", toKey(one)).update(fingerprint).digest()],
  );
  return [fingerprint, ...keyed].some((one) => timingSafeEqual(one, stored));
}
