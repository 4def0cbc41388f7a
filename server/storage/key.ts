const form = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The key itself; throws RangeError on anything but a UUID, so that no key leads out of the hub's own place. */
export function checkKey(key: string): string {
  if (!form.test(key)) throw new RangeError("a storage key must be a UUID in lower case");
  return key;
}
