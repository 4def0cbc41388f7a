import { randomBytes } from "node:crypto";

// What is safe in a log line and a header, and long enough to be somebody's id.
const SANE = /^[\w.-]{8,128}$/;

// Its own randomness for every request would cost a tenth of the time of a small one.
const start = randomBytes(9).toString("base64url");
let count = 0;

/** The caller's own X-Request-Id when it is a sane one, so that a trace can cross the edge; else a new id. */
export function readRequestId(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && SANE.test(given) ? given : newRequestId();
}

export const newRequestId = (): string => `${start}-${(count += 1)}`;
