const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the path and query that a request asks for, also when its target names the whole address (RFC 9112, section
 * 3.2.2); null for a target that is no path, or whose path does not decode as UTF-8.
 */
export function readTarget(target: string): string | null {
  const path = ORIGIN.test(target) ? target.replace(ORIGIN, "") || "/" : target;
  if (!path.startsWith("/")) return null;
  try {
    decodeURIComponent(path.split("?", 1)[0]!);
    return path;
  } catch {
    return null;
  }
}
