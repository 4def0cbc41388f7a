import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_BYTES = 24;
const RANDOM_DIGITS = 33;
const CHECK_DIGITS = 6;
const SHAPE = new RegExp(`^service_(sk|wk)_([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`);

/** `sk` opens an account's routes, `wk` those of workers. */
export type SecretKind = "sk" | "wk";
const startOf = (kind: SecretKind) => `service_${kind}_`;

const base62 = (value: bigint, width: number): string => {
  let text = "";
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text.padStart(width, "0");
};
const check = (random: string) => base62(BigInt(crc32(random)), CHECK_DIGITS);

/** A new API key: `service_sk_`, 192 random bits and a checksum (specification, section 5); or a worker's token. */
export function newSecret(kind: SecretKind = "sk"): string {
  const random = base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString("hex")}`), RANDOM_DIGITS);
  return startOf(kind) + random + check(random);
}

/** Whether it can be one of our secrets of this kind at all: a mistyped one is refused without a query. */
export function isSecret(text: string, kind: SecretKind = "sk"): boolean {
  const match = SHAPE.exec(text);
  return match !== null && match[1] === kind && check(match[2]!) === match[3];
}

// The secret has 192 random bits, so a plain hash cannot be guessed back.
export const hashSecret = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** The leading characters by which people recognise a key. */
export const getSecretPrefix = (secret: string): string => secret.slice(0, startOf("sk").length + 6);
