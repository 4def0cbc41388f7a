import { buffer } from "node:stream/consumers";
import type { Hub } from "../../context";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { InputCopies } from "./input-copy";
import { fetchOutside } from "./fetch-outside";
import type { FileRow } from "./file";
import { findInput, fileUnavailable } from "./find-input";

const MAX_BYTES = 20 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 15_000;

/**
 * Returns the bytes of a file parameter: one of the account's files or an external URL, at most 20 MiB. With `copies`,
 * external inputs are read only from them. Throws InputUnavailable, or the signal's reason.
 */
export async function readInput(
  hub: Hub,
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

async function readStored(hub: Hub, file: FileRow): Promise<Buffer> {
  if (file.size > MAX_BYTES) throw new InputUnavailable(`An input file is larger than ${MAX_BYTES} bytes.`);
  const content = await hub.storage.open(file.id);
  if (!content) throw fileUnavailable(true);
  return buffer(content);
}
