import { buffer } from "node:stream/consumers";
import type { Hub } from "../../context";
import { OutboundError } from "../../lib/safe-fetch";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { FileRow } from "./file";
import { findInput, unavailable } from "./find-input";

const MOST_BYTES = 20 * 1024 * 1024;
const OUTSIDE_MS = 15_000;

/**
 * The bytes that a file parameter stands for: one of the account's own files, or an outside address, 20 MiB at most.
 * Throws InputUnavailable, or the reason of the signal.
 */
export async function readInput(
  hub: Hub,
  accountId: number,
  text: string,
  { signal }: { signal: AbortSignal },
): Promise<Buffer> {
  const file = await findInput(hub, accountId, text);
  return file ? readOwn(hub, file) : readOutside(hub, text, signal);
}

async function readOwn(hub: Hub, file: FileRow): Promise<Buffer> {
  if (file.size > MOST_BYTES) throw new InputUnavailable(`An input file is larger than ${MOST_BYTES} bytes.`);
  const content = await hub.storage.open(file.id);
  if (!content) throw unavailable(true);
  return buffer(content);
}

async function readOutside(hub: Hub, url: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const { status, body } = await hub.fetch(url, { timeoutMs: OUTSIDE_MS, maxBytes: MOST_BYTES, signal });
    if (status === 200) return body;
    throw new InputUnavailable(
      `The address of an input answered with status ${status}.`,
      status === 429 || status > 499,
    );
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new InputUnavailable(`An input could not be fetched. ${error.message}`, passing.includes(error.reason));
  }
}

const passing: OutboundError["reason"][] = ["unresolved", "unreachable", "timeout", "broken"];
