/** Paths that accept a key or token of the request alone. The routes of keys accept only the console's cookie. */
const OPEN_PATH = /^\/(?:v1|mcp|oauth|\.well-known|api\/v1(?!\/hub\/keys(?:\/|$)))(?:\/|$)/;

const EXPOSED_HEADERS =
  "X-Request-Id, X-Generation-Id, RateLimit, RateLimit-Policy, Retry-After, Location, Idempotent-Replayed, ETag, " +
  "Content-Range, Content-Disposition, WWW-Authenticate, x-should-retry";

/** Returns whether pages of any origin may call a path with a key. */
export const isOpenToOrigins = (path: string): boolean => OPEN_PATH.test(path);

/**
 * Adds the headers by which pages of any origin may read the response of a path. They never allow credentials, so that
 * browsers send no cookie that would count. The first does not depend on the request: a browser may keep a file that an
 * `<img>` loaded for a later `fetch`. Programs need neither and do not get the long one.
 */
export function openToOrigins(headers: Record<string, string>, path: string, request: Headers): void {
  if (!isOpenToOrigins(path)) return;
  headers["Access-Control-Allow-Origin"] = "*";
  if (request.has("origin")) headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS;
}
