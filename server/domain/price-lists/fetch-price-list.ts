import { budgetExceeded } from "../../lib/byte-budget";
import { concatInSlices } from "../../lib/concat-bytes";
import { OperatorError } from "../../lib/operator-error";
import { isOutboundError } from "../../lib/safe-fetch";
import { runInSlices } from "../../lib/slices";
import type { PriceListsHub } from "./hub";

export const MAX_LIST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Calls `use` with the price list at an https address, which counts as a request's body until then. Throws OperatorError with
 * one sentence if it cannot be read, and 503 if the hub has no memory for it.
 */
export async function fetchPriceList<T>(
  hub: PriceListsHub,
  url: string,
  use: (list: Buffer) => Promise<T>,
): Promise<T> {
  const memory = hub.bodyBudget.open("price list");
  try {
    return await use(await readList(hub, url, (bytes) => memory.add(bytes)));
  } finally {
    memory.release();
  }
}

async function readList(hub: PriceListsHub, url: string, reserve: (bytes: number) => boolean): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const store = async (content: AsyncIterable<Uint8Array>) => {
    for await (const chunk of content) {
      if (!reserve(chunk.length)) throw budgetExceeded();
      chunks.push(chunk);
    }
  };
  try {
    const headers = { accept: "application/json", "user-agent": "generation-hub" };
    const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_LIST_BYTES };
    const { status } = await hub.fetch(url, { ...bounds, headers, store, schemes: ["https:"] });
    if (status !== 200) throw new OperatorError(`The price list cannot be read: its server returned status ${status}.`);
  } catch (error) {
    throw isOutboundError(error) ? new OperatorError(`The price list cannot be read. ${error.message}`) : error;
  }
  return Buffer.from((await runInSlices(concatInSlices(chunks))).buffer);
}
