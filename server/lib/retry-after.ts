/**
 * Returns the seconds that a `Retry-After` header asks for, which are negative for a date in the past; undefined for any
 * other value. It has seconds or a date (RFC 9110, section 10.2.3).
 */
export function readRetryAfter(header: string | null | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text));
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.ceil((date - now.getTime()) / 1000);
}
