import { fileUrl } from "../files";
import type { InputFilesHub } from "./hub";

const SHA256_REF = /^sha256:([0-9a-f]{64})$/i;

/** Returns the lower-case hash of a `sha256:<hex>` reference; null for any other text. */
export const parseSha256Ref = (text: string): string | null => SHA256_REF.exec(text)?.[1]?.toLowerCase() ?? null;

/** Returns the id segment of a file URL of this hub, signed or not; null for any other URL. The id is not validated. */
export function parseOwnFileUrl(hub: InputFilesHub, url: string): string | null {
  // A cheap check first: data: URLs can be megabytes long.
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  const files = new URL(fileUrl(hub, ""));
  return origin === files.origin && pathname.startsWith(files.pathname) ? pathname.slice(files.pathname.length) : null;
}
