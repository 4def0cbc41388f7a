import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_BYTES = 24;
const RANDOM_DIGITS = 33;
const CHECK_DIGITS = 6;
const SECRET_PATTERN = new RegExp(
  `^service_(sk|mk|wk|ok)_([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`,
);

/**
 * `sk` is an account's API key, `mk` the key of a connected app, which is valid only for `/mcp`, `wk` a worker's token, `ok`
 * the token of an operator's program.
 */
type SecretKind = "sk" | "mk" | "wk" | "ok";
const getPrefix = (kind: SecretKind) => `service_${kind}_`;

const encodeBase62 = (value: bigint, width: number): string => {
  let text = "";
  for (let remaining = value; remaining > 0n; remaining /= 62n) text = DIGITS[Number(remaining % 62n)] + text;
  return text.padStart(width, "0");
};
const getChecksum = (random: string) => encodeBase62(BigInt(crc32(random)), CHECK_DIGITS);

/** Returns a new secret: its prefix, 192 random bits and a checksum (specification, section 5). */
export function newSecret(kind: SecretKind = "sk"): string {
  const random = encodeBase62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString("hex")}`), RANDOM_DIGITS);
  return getPrefix(kind) + random + getChecksum(random);
}

/** Returns whether a text has the form and checksum of this kind of secret, so that typos are rejected without a query. */
export function isSecret(text: string, kind: SecretKind = "sk"): boolean {
  const match = SECRET_PATTERN.exec(text);
  return match !== null && match[1] === kind && getChecksum(match[2]!) === match[3];
}

/** Returns the stored hash of a secret. It is unsalted: 192 random bits cannot be guessed from it. */
export const hashSecret = (secret: string): Buffer => hash("sha256", secret, "buffer");

/** Returns the leading characters by which people recognize a key. */
export const getSecretPrefix = (secret: string): string => secret.slice(0, getPrefix("sk").length + 6);
