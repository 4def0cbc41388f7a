import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { decodeBase64Url } from "./base64url";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns a key of AES-256 for one purpose, derived from the hub's secret. */
export const deriveEncryptionKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));

/** Encrypts a text (AES-256-GCM); decrypting it needs the same key and the same `owner`. */
export function encrypt(key: Buffer, owner: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Decrypts a text with the key that fits. Throws as `decrypt` if none does. */
export function decryptByAny(keys: readonly Buffer[], owner: string, encrypted: Buffer): string {
  for (const key of keys.slice(0, -1)) {
    try {
      return decrypt(key, owner, encrypted);
    } catch {
      // Another key may open it.
    }
  }
  return decrypt(keys.at(-1)!, owner, encrypted);
}

/** Returns what was encrypted for a client and sent in base64url; null if the key, the owner or a single character differs. */
export function decryptToken(keys: readonly Buffer[], owner: string, token: string): string | null {
  const encrypted = decodeBase64Url(token);
  try {
    return encrypted && decryptByAny(keys, owner, encrypted);
  } catch {
    return null;
  }
}

/** Returns the decrypted text. Throws if the key, the owner or a single bit differs. */
export function decrypt(key: Buffer, owner: string, encrypted: Buffer): string {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const tag = encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(tag);
  return decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}
