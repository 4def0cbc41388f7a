const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the path and query that a request asks for, also when its target names the whole address (RFC 9112, section
 * 3.2.2); null for a target that is no path.
 */
export function readTarget(target: string): string | null {
  const path = ORIGIN.test(target) ? target.replace(ORIGIN, "") || "/" : target;
  return path.startsWith("/") ? path : null;
}

/** Returns whether the path of a request target decodes as UTF-8; no other path exists. */
export function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target.split("?", 1)[0]!);
    return true;
  } catch {
    return false;
  }
}
