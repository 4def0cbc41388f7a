import type { Hub } from "../../context";
import { fileUrl } from "./serialize-file";

/** Returns the id segment of a file URL of this hub, signed or not; null for any other URL. The id is not validated. */
export function parseOwnFileUrl(hub: Hub, url: string): string | null {
  // A cheap check first: data: URLs can be megabytes long.
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  const files = new URL(fileUrl(hub, ""));
  return origin === files.origin && pathname.startsWith(files.pathname) ? pathname.slice(files.pathname.length) : null;
}
