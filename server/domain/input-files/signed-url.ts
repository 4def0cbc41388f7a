import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { isSignature, signText } from "../../lib/signature";
import { type FileRow, fileUrl, findAccountFile } from "../files";
import type { InputFilesHub } from "./hub";
import { findCopy } from "./input-copy";

/** The query parameters of a signed link. */
export interface LinkSignature {
  /** Unix seconds. */
  expires: string;
  signature: string;
}

/** Returns a URL that opens one file without a key until `expires` (rounded down to a second) or the file's expiry. */
export function signLink(hub: InputFilesHub, fileId: string, expires: Date): string {
  const seconds = String(Math.floor(expires.getTime() / 1000));
  const signature = signText(hub, PURPOSE, describeLink(fileId, seconds)).toString("base64url");
  return `${fileUrl(hub, fileId)}?${new URLSearchParams({ expires: seconds, signature }).toString()}`;
}

/** Returns the file of a signed link. Throws a 401 `unauthorized` for an invalid or expired signature, else as `findFile`. */
export async function findSignedFile(
  hub: InputFilesHub,
  id: string,
  { expires, signature }: LinkSignature,
): Promise<FileRow> {
  const isValid = isSignature(hub, PURPOSE, describeLink(id, expires), signature);
  if (!isValid || !(hub.now().getTime() < Number(expires) * 1000)) {
    throw new AppError("unauthorized", "The link is invalid or has expired");
  }
  return (await findCopy(hub, id)) ?? findAccountFile(hub, id, null);
}

const PURPOSE = "generation-hub signed file links";
const describeLink = (id: string, expires: string): string => `${id}\n${expires}`;

/** Returns a copy of plain data in which every URL of a file of the hub is a signed link that works until `until`. */
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
