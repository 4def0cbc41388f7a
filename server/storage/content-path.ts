import path from "node:path";

const form = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Where a key's content lies: two levels by the key's last digits, which are random; its first ones are the time.
 * Throws RangeError on anything but a UUID, so that no key leads out of the folder.
 */
export function contentPath(root: string, key: string): string {
  if (!form.test(key)) throw new RangeError("a storage key must be a UUID in lower case");
  return path.join(root, key.slice(-2), key.slice(-4, -2), key);
}
