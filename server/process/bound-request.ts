/** Next parses a query several times, at a cost that grows with the square of its parameters. */
const MAX_PARAMETERS = 100;
/** A link to the playground has an input of up to 6,000 characters. */
const MAX_QUERY_BYTES = 8 * 1024;
/** A batch of the console's reads has its inputs in the query; Node bounds it with the head. */
const BATCH = /^\/api\/trpc\//;

/** Returns whether the query of a request target is short enough to be parsed by Next. */
export function isQueryBounded(target: string): boolean {
  const start = target.indexOf("?");
  if (start === -1) return true;
  if (target.length - start > MAX_QUERY_BYTES && !BATCH.test(target)) return false;
  let parameters = 1;
  for (let at = target.indexOf("&", start); at !== -1; at = target.indexOf("&", at + 1)) {
    parameters += 1;
    if (parameters > MAX_PARAMETERS) return false;
  }
  return true;
}

const MAX_COOKIE_BYTES = 4096;
const COOKIE =
  /^(?:\.AspNetCore\.Cookies|hub\.device|theme|formats|browser_formats|generations-view|playground_models|(?:__Secure-|__Host-)?next-auth\.(?:csrf-token|callback-url|state|nonce|pkce\.code_verifier))$/;

/**
 * Returns the cookies of a `Cookie` header that the hub sets, each once and of the size that browsers keep at most;
 * undefined if there are none. Others, such as those of an application on the same host, only cost time.
 */
export function pickKnownCookies(header: string): string | undefined {
  const known = new Map<string, string>();
  for (const pair of header.split(";")) {
    const name = pair.slice(0, pair.indexOf("=")).trim();
    if (COOKIE.test(name) && !known.has(name) && pair.length <= MAX_COOKIE_BYTES) known.set(name, pair.trim());
  }
  return known.size > 0 ? [...known.values()].join("; ") : undefined;
}
