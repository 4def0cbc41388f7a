import { createHmac, timingSafeEqual } from "node:crypto";
import { decodeBase64Url } from "./base64url";
import { deriveEncryptionKey } from "./encryption";

/** The hub's secret and, while it is being replaced, the other one that is accepted too. */
export interface Secrets {
  secret: string;
  previousSecret?: string;
}

/** Returns the secrets that are accepted, the one that signs and encrypts first. */
export const listSecrets = ({ secret, previousSecret }: Secrets): string[] =>
  previousSecret === undefined ? [secret] : [secret, previousSecret];

/** Returns the keys for one purpose that are accepted, the one that signs and encrypts first. */
export const deriveKeys = (secrets: Secrets, purpose: string): Buffer[] =>
  listSecrets(secrets).map((secret) => deriveEncryptionKey(secret, purpose));

/** Returns the HMAC-SHA256 of a text, by a key for one purpose. */
export const signText = ({ secret }: Secrets, purpose: string, text: string): Buffer =>
  computeHmac(deriveEncryptionKey(secret, purpose), text);

/** Returns whether a signature, in base64url, is that of a text, in constant time. */
export function isSignature(secrets: Secrets, purpose: string, text: string, signature: string): boolean {
  const given = decodeBase64Url(signature);
  return (
    given !== null && deriveKeys(secrets, purpose).some((key) => isEqualConstantTime(computeHmac(key, text), given))
  );
}

/** Returns the HMAC-SHA256 of a text. */
export const computeHmac = (key: Buffer | string, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();

/** Compares bytes in constant time, except for their lengths. */
export const isEqualConstantTime = (expected: Buffer, actual: Buffer): boolean =>
  expected.length === actual.length && timingSafeEqual(expected, actual);
