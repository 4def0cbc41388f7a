import { buffer } from "node:stream/consumers";
import type { Hub } from "../../context";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { InputCopies } from "../inputs/input-copy";
import { fetchOutside } from "./fetch-outside";
import type { FileRow } from "./file";
import { findInput, fileUnavailable } from "./find-input";

const MAX_BYTES = 20 * 1024 * 1024;
const OUTSIDE_MS = 15_000;

/**
 * Returns the bytes that a file parameter stands for: one of the account's own files, or an outside address, 20 MiB at
 * most. With `copies`, what is outside is read from them alone. Throws InputUnavailable, or the reason of the signal.
 */
export async function readInput(
  hub: Hub,
  accountId: number,
  text: string,
  { signal, copies }: { signal: AbortSignal; copies?: InputCopies },
): Promise<Buffer> {
  const file = copies?.get(text) ?? (await findInput(hub, accountId, text));
  if (file) return readOwn(hub, file);
  if (copies) throw inputNotFetched();
  return fetchOutside(hub, text, { timeoutMs: OUTSIDE_MS, maxBytes: MAX_BYTES, signal });
}

/** What becomes of a worker's job whose outside content was not fetched when it was queued. */
export const inputNotFetched = () => new InputUnavailable("An input was not fetched in time. Send it again.", true);

async function readOwn(hub: Hub, file: FileRow): Promise<Buffer> {
  if (file.size > MAX_BYTES) throw new InputUnavailable(`An input file is larger than ${MAX_BYTES} bytes.`);
  const content = await hub.storage.open(file.id);
  if (!content) throw fileUnavailable(true);
  return buffer(content);
}
