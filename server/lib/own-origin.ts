/**
 * Returns whether a request's `Origin` is the hub's: its public address, or the host of the request itself. A request
 * without one passes, because the cookie's SameSite attribute guards it.
 */
export function isOwnOrigin(baseUrl: string, headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin === null || origin === new URL(baseUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}
