/** Where to go after signing in: a path of ours, whatever the address bar says. */
export function nextPath(given: string | string[] | undefined): string {
  const path = Array.isArray(given) ? given[0] : given;
  // A second slash, also written as "\\", would make it the address of somebody else.
  return path && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) ? path : "/overview";
}
