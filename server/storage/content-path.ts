import path from "node:path";
import { checkKey } from "./key";

/** Where a key's content lies: two levels by the key's last digits, which are random; its first ones are the time. */
export function contentPath(root: string, key: string): string {
  const name = checkKey(key);
  return path.join(root, name.slice(-2), name.slice(-4, -2), name);
}
