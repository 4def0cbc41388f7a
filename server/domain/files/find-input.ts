import type { Hub } from "../../context";
import { isAppError } from "../../errors";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { FileRow } from "./file";
import { findByHash } from "./find-by-hash";
import { parseSha256Ref } from "./parse-sha256-ref";
import { findAccountFile } from "./find-file";
import { parseOwnFileUrl } from "./parse-own-file-url";

/**
 * Returns the account's file that a file parameter refers to by URL or hash; null for an external URL. Throws
 * InputUnavailable when the file has expired or is not the account's.
 */
export async function findInput(hub: Hub, accountId: number, text: string): Promise<FileRow | null> {
  const hash = parseSha256Ref(text);
  const id = parseOwnFileUrl(hub, text);
  try {
    if (hash !== null) return await findByHash(hub, accountId, hash);
    return id === null ? null : await findAccountFile(hub, id, accountId);
  } catch (error) {
    throw isAppError(error) ? fileUnavailable(error.code === "file_expired") : error;
  }
}

/** Returns the error for an input file that has expired or does not exist. */
export const fileUnavailable = (expired: boolean): InputUnavailable =>
  new InputUnavailable(`An input file ${expired ? "has expired" : "does not exist"}.`);
