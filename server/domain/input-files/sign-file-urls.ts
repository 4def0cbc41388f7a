import { isId } from "../../lib/id";
import { fileUrl } from "../files";
import type { InputFilesHub } from "./hub";
import { signLink } from "./signed-url";

/** Returns a copy of plain data in which every URL of a file of the hub is a signed link that works until then. */
export function signFileUrls<T>(hub: InputFilesHub, data: T, until: Date): T {
  const prefix = fileUrl(hub, "");
  const sign = (value: unknown): unknown => {
    if (typeof value === "string") return signUrl(value);
    if (Array.isArray(value)) return value.map(sign);
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sign(member)]));
  };
  const signUrl = (text: string) => {
    const id = text.startsWith(prefix) ? text.slice(prefix.length) : "";
    return isId(id) ? signLink(hub, id, until) : text;
  };
  return sign(data) as T;
}
