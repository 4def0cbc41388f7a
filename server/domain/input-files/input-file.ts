import { buffer } from "node:stream/consumers";
import { isAppError } from "../../errors";
import { InputUnavailable } from "../../providers/input-unavailable";
import { type FileRow, fileUrl, findAccountFile, findByHash } from "../files";
import { fetchOutside } from "./fetch-outside";
import type { InputFilesHub } from "./hub";
import type { InputCopies } from "./input-copy";
import { signLink } from "./signed-url";

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

/**
 * Returns the account's file that a file parameter refers to by URL or hash; null for an external URL. Throws
 * InputUnavailable when the file has expired or is not the account's.
 */
async function findInput(hub: InputFilesHub, accountId: number, text: string): Promise<FileRow | null> {
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
const fileUnavailable = (expired: boolean): InputUnavailable =>
  new InputUnavailable(`An input file ${expired ? "has expired" : "does not exist"}.`);

/**
 * Returns the URL from which a provider can fetch a file parameter: a signed link, valid until `until`, for a file of the
 * account or a copy of an external input; other URLs unchanged. Throws InputUnavailable.
 */
export async function linkInput(
  hub: InputFilesHub,
  accountId: number,
  text: string,
  until: Date,
  copies?: InputCopies,
): Promise<string> {
  const file = copies?.get(text) ?? (await findInput(hub, accountId, text));
  return file ? signLink(hub, file.id, until) : text;
}

const MAX_BYTES = 20 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 15_000;

/**
 * Returns the bytes of a file parameter: one of the account's files or an external URL, at most 20 MiB. With `copies`,
 * external inputs are read only from them. Throws InputUnavailable, or the signal's reason.
 */
export async function readInput(
  hub: InputFilesHub,
  accountId: number,
  text: string,
  { signal, copies }: { signal: AbortSignal; copies?: InputCopies },
): Promise<Buffer> {
  const file = copies?.get(text) ?? (await findInput(hub, accountId, text));
  if (file) return readStored(hub, file);
  if (copies) throw inputNotFetched();
  return fetchOutside(hub, text, { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_BYTES, signal });
}

/** Returns the error for a worker's job whose external input was never copied. */
export const inputNotFetched = () => new InputUnavailable("An input was not fetched in time. Send it again.", true);

async function readStored(hub: InputFilesHub, file: FileRow): Promise<Buffer> {
  if (file.size > MAX_BYTES) throw new InputUnavailable(`An input file is larger than ${MAX_BYTES} bytes.`);
  const content = await hub.storage.open(file.id, undefined, Number(file.size));
  if (!content) throw fileUnavailable(true);
  return buffer(content);
}
