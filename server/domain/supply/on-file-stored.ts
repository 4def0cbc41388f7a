import type { Hub } from "../../context";
import { queueSupplied, type SupplyFilter } from "./queue-supplied";

/**
 * Queues the account's generations that waited for this content. Call it outside a transaction, once the file is visible.
 * Never throws: the sweep retries a failure.
 */
export const onFileStored = (hub: Hub, accountId: number, sha256: Buffer): Promise<void> =>
  queueOrLog(hub, { account: accountId, sha256 });

/** Queues the generations that waited for the outputs of these succeeded generations. Never throws. */
export const onOutputsStored = (hub: Hub, generationIds: string[]): Promise<void> =>
  queueOrLog(hub, { outputsOf: generationIds });

async function queueOrLog(hub: Hub, filter: SupplyFilter): Promise<void> {
  try {
    await queueSupplied(hub, filter);
  } catch (error) {
    hub.log.warn({ err: error as Error }, "supplied generations not queued; the sweep retries");
  }
}
