import type { Hub } from "../../context";
import { fileUrl } from "./serialize-file";

/** What stands for the id when the address is one of this hub's files, signed or not; null for any other address. */
export function parseOwnFileUrl(hub: Hub, url: string): string | null {
  // Most addresses are not ours, and data: URLs are long.
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  const files = new URL(fileUrl(hub, ""));
  return origin === files.origin && pathname.startsWith(files.pathname) ? pathname.slice(files.pathname.length) : null;
}
