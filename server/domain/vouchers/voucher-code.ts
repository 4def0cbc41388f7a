import { randomBytes } from "node:crypto";
import { computeHmac, deriveKeys, type Secrets } from "../../lib/signature";

/** Crockford's base 32, which has no letters that look like digits. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".replaceAll(/[IL]|[OU]/g, "");
const GROUP = 5;
const GROUPS = 5;
const CODE_PATTERN = new RegExp(`^[${DIGITS}]{${GROUP * GROUPS}}$`);
const PURPOSE = "generation-hub vouchers";

/** Returns a new code of 125 random bits, such as `7K2QF-…`. Its first group is shown in lists; the others stay secret. */
export function newCode(): string {
  const digits = [...randomBytes(GROUP * GROUPS)].map((byte) => DIGITS[byte % DIGITS.length]!).join("");
  return digits.match(new RegExp(`.{${GROUP}}`, "g"))!.join("-");
}

/** Returns the first group of a code, by which people recognize it. */
export const getCodePrefix = (code: string): string => code.slice(0, GROUP);

/**
 * Returns the possible stored hashes of a code that a person has typed, the one by the current secret first; null if it is
 * not a code. They are keyed, so that a copy of the database lets nobody test guesses.
 */
export function hashCode(secrets: Secrets, typed: string): Buffer[] | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return CODE_PATTERN.test(code) ? deriveKeys(secrets, PURPOSE).map((key) => computeHmac(key, code)) : null;
}
