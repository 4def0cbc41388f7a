import { buffer } from "node:stream/consumers";
import type { Hub } from "../../context";
import { isAppError } from "../../errors";
import { OutboundError } from "../../lib/safe-fetch";
import { InputUnavailable } from "../../providers/input-unavailable";
import { findFileOf, openContent } from "./open";
import { ownFileId } from "./own-file-id";

const MOST_BYTES = 20 * 1024 * 1024;
const OUTSIDE_MS = 15_000;

/**
 * The bytes that a file parameter stands for: one of the account's own files, or an outside address, 20 MiB at most.
 * Throws InputUnavailable, or the reason of the signal.
 */
export function readInput(
  hub: Hub,
  accountId: number,
  url: string,
  { signal }: { signal: AbortSignal },
): Promise<Buffer> {
  const id = ownFileId(hub, url);
  return id === null ? readOutside(hub, url, signal) : readOwn(hub, accountId, id);
}

async function readOwn(hub: Hub, accountId: number, id: string): Promise<Buffer> {
  try {
    const file = await findFileOf(hub, id, accountId);
    if (file.size > MOST_BYTES) throw new InputUnavailable(`An input file is larger than ${MOST_BYTES} bytes.`);
    return await buffer(await openContent(hub, file));
  } catch (error) {
    if (!isAppError(error)) throw error;
    const fault = error.code === "file_expired" ? "has expired" : "does not exist";
    throw new InputUnavailable(`An input file ${fault}.`);
  }
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
