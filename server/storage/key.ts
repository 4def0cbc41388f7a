const KEY_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Returns the key. Throws a RangeError unless it is a UUID, so that no key can escape the storage's folder or prefix. */
export function checkKey(key: string): string {
  if (!KEY_PATTERN.test(key)) throw new RangeError("a storage key must be a UUID in lower case");
  return key;
}
