/** How many seconds a request may wait. */
const MAX_WAIT_SECONDS = 60;

/**
 * Returns for how many seconds a request prefers to wait for its result: at most 60, which is also what `wait` without a
 * value means; null without such a preference. Invalid preferences are ignored, as RFC 7240 demands.
 */
export function readWait(headers: Headers): number | null {
  // Of a repeated preference, the first counts.
  const found = (headers.get("prefer") ?? "").split(",", MAX_PREFERENCES).find((text) => WAIT.test(text));
  if (found === undefined) return null;
  const [, value] = WAIT_SECONDS.exec(found) ?? [];
  if (value !== undefined) return Math.min(Number(value), MAX_WAIT_SECONDS) || null;
  return WAIT_ALONE.test(found) ? MAX_WAIT_SECONDS : null;
}

const MAX_PREFERENCES = 50;
const WAIT = /^\s*wait\s*(?:[=;]|$)/i;
const WAIT_SECONDS = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;
const WAIT_ALONE = /^\s*wait\s*(?:=\s*""\s*)?(?:;|$)/i;
