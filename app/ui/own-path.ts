/** The path of one of our own addresses: a page asks its own origin, whatever name the hub hands out. */
export const ownPath = (url: string): string => new URL(url).pathname;

const OWN_FILE = /\/api\/v1\/hub\/files\/[0-9a-f-]{36}$/i;

/** The path of a file that the hub keeps; null for any other address, of which a page must not ask anything. */
export const ownFilePath = (url: string): string | null =>
  URL.canParse(url) && OWN_FILE.test(url) ? ownPath(url) : null;
