import { hash } from "node:crypto";

/** Returns an ETag of a response body, which changes with every byte of it. */
export const etagOf = (text: string | Uint8Array): string => `"${hash("sha256", text, "base64url").slice(0, 22)}"`;

/** Returns whether an `If-None-Match` names an ETag, weak or not (RFC 9110, section 13.1.2). */
export const matchesEtag = (list: string | null, etag: string): boolean =>
  list !== null &&
  list.split(",").some((entry) => /^(W\/)?(.*)$/.exec(entry.trim())![2] === etag || entry.trim() === "*");
