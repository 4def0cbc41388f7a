import { hash } from "node:crypto";

/** Returns the ETag of a response body. */
export const etagOf = (text: string | Uint8Array): string => `"${hash("sha256", text, "base64url").slice(0, 22)}"`;

/** Returns whether `If-None-Match` matches an ETag, by weak comparison (RFC 9110, section 13.1.2). */
export const matchesEtag = (list: string | null, etag: string): boolean =>
  list !== null &&
  list.split(",").some((entry) => /^(W\/)?(.*)$/.exec(entry.trim())![2] === etag || entry.trim() === "*");
