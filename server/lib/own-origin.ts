/**
 * Whether a request comes from a page of ours as far as its `Origin` tells: the public address, or the very host that
 * was called. An absent one passes: the cookie's SameSite guards it.
 */
export function isOwnOrigin(baseUrl: string, headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin === null || origin === new URL(baseUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}
