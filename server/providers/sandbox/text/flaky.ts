import { fingerprintOf } from "../../../lib/canonical";

const MAX_BODIES = 1_000;
const failedOnce = new Set<string>();

/** Returns true for the first request with a body, false for the second, and so on in turn. */
export function failsThisTime(body: Record<string, unknown>): boolean {
  const fingerprint = fingerprintOf(body).toString("base64");
  if (failedOnce.delete(fingerprint)) return false;
  failedOnce.add(fingerprint);
  for (const oldest of failedOnce) {
    if (failedOnce.size <= MAX_BODIES) break;
    failedOnce.delete(oldest);
  }
  return true;
}
