import type { Hub } from "../../context";
import { isAppError } from "../../errors";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { FileRow } from "./file";
import { findByHash } from "./find-by-hash";
import { parseSha256Ref } from "./parse-sha256-ref";
import { findAccountFile } from "./find-file";
import { parseOwnFileUrl } from "./parse-own-file-url";

/**
 * The account's file that a file parameter names by its address or its hash; null for an outside address. Throws
 * InputUnavailable when it has expired, or is not the account's.
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

/** What becomes of work whose input file is gone. */
export const fileUnavailable = (expired: boolean): InputUnavailable =>
  new InputUnavailable(`An input file ${expired ? "has expired" : "does not exist"}.`);
