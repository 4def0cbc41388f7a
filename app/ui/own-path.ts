/** Returns the path of a hub URL, so that a page requests its own origin whatever host the hub is reached by. */
export function ownPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const OWN_FILE = /\/api\/v1\/hub\/files\/[0-9a-f-]{36}(\?|$)/i;

/** Returns the path of a file stored by the hub; null for any other URL, which a page must not load. */
export const ownFilePath = (url: string): string | null =>
  URL.canParse(url) && OWN_FILE.test(url) ? ownPath(url) : null;
