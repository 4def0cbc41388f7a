/** Returns the path to open after signing in; "/overview" unless the given one is a path on this origin. */
export function nextPath(next: string | string[] | undefined): string {
  const path = Array.isArray(next) ? next[0] : next;
  // A second slash, also written as "\\", would make it a URL on another host.
  return path && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) ? path : "/overview";
}
