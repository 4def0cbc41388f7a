import { decrypt, decryptByAny, encrypt } from "./encryption";

/** How many values were encrypted with the newest key, and how many no key can decrypt. */
export interface Reencryption {
  changed: number;
  unreadable: number;
}

export const newReencryption = (): Reencryption => ({ changed: 0, unreadable: 0 });

/**
 * Returns a value encrypted with the first key; null, which leaves it as it is, when it already is or when no key
 * decrypts it. Counts the changed values and those that no key decrypts in `result`.
 */
export function reencrypt(
  result: Reencryption,
  [first, ...others]: readonly Buffer[],
  owner: string,
  encrypted: Buffer,
): Buffer | null {
  if (canDecrypt([first!], owner, encrypted)) return null;
  if (others.length === 0 || !canDecrypt(others, owner, encrypted)) {
    result.unreadable += 1;
    return null;
  }
  result.changed += 1;
  return encrypt(first!, owner, decryptByAny(others, owner, encrypted));
}

function canDecrypt(keys: readonly Buffer[], owner: string, encrypted: Buffer): boolean {
  return keys.some((key) => {
    try {
      decrypt(key, owner, encrypted);
      return true;
    } catch {
      return false;
    }
  });
}
