import path from "node:path";
import { checkKey } from "./key";

/**
 * Returns the path of a key's content, below two folders named by the key's last digits: those are random, while the
 * first ones are the time.
 */
export function contentPath(root: string, key: string): string {
  const name = checkKey(key);
  return path.join(root, name.slice(-2), name.slice(-4, -2), name);
}
