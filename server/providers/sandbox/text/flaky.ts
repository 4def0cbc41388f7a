import { hashCanonicalJson } from "../../../lib/canonical";

const MOST = 1_000;
const failedOnce = new Set<string>();

/** Whether this is a body's first call; the second one answers no, and the third is a first one again. */
export function failsThisTime(body: Record<string, unknown>): boolean {
  const seen = hashCanonicalJson(body).toString("base64");
  if (failedOnce.delete(seen)) return false;
  failedOnce.add(seen);
  for (const oldest of failedOnce) {
    if (failedOnce.size <= MOST) break;
    failedOnce.delete(oldest);
  }
  return true;
}
