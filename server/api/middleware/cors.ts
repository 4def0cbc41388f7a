/** Paths that accept only a key or token. The key routes are excluded: they accept only the console's cookie. */
const OPEN_PATH = /^\/(?:v1|mcp|oauth|\.well-known|api\/v1(?!\/hub\/keys(?:\/|$)))(?:\/|$)/;

const EXPOSED_HEADERS =
  "X-Request-Id, X-Generation-Id, RateLimit, RateLimit-Policy, Retry-After, Location, Idempotent-Replayed, ETag, " +
  "Content-Range, Content-Disposition, WWW-Authenticate, x-should-retry";

/** Returns whether pages of any origin may call a path with a key. */
export const isOpenToOrigins = (path: string): boolean => OPEN_PATH.test(path);

/**
 * Adds the headers that let pages of any origin read the response of a path. They never allow credentials, so browsers
 * send no cookies. `Access-Control-Allow-Origin` is set for every request, because a browser may reuse a file that an
 * `<img>` loaded for a later `fetch`; programs other than browsers do not get the longer header.
 */
export function openToOrigins(headers: Record<string, string>, path: string, request: Headers): void {
  if (!isOpenToOrigins(path)) return;
  headers["Access-Control-Allow-Origin"] = "*";
  if (request.has("origin")) headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS;
}
