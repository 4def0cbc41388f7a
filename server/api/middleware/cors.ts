/** Paths that accept a key or token of the request alone. The routes of keys accept only the console's cookie. */
const OPEN_PATH = /^\/(?:v1|mcp|oauth|\.well-known|api\/v1(?!\/hub\/keys(?:\/|$)))(?:\/|$)/;

const ORIGIN_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Request-Id, X-Generation-Id, RateLimit, RateLimit-Policy, Retry-After, Location, Idempotent-Replayed, ETag, " +
    "Content-Range, Content-Disposition, WWW-Authenticate, x-should-retry",
};

/** Returns whether pages of any origin may call a path with a key. */
export const isOpenToOrigins = (path: string): boolean => OPEN_PATH.test(path);

/**
 * Returns the headers by which pages of any origin may read the response of a path. They never allow credentials, so that
 * browsers send no cookie that would count. They do not depend on the request: a browser may keep a file that an `<img>`
 * loaded for a later `fetch`.
 */
export const originHeaders = (path: string): Record<string, string> => (isOpenToOrigins(path) ? ORIGIN_HEADERS : {});
