import type { Hub } from "../../context";
import { queueSupplied, type SupplyFilter } from "./queue-supplied";

/**
 * Starts what waited for this content of the account. To be called once the content's file is visible, in no
 * transaction. Never throws: the sweep repeats what is lost here.
 */
export const onFileStored = (hub: Hub, accountId: number, sha256: Buffer): Promise<void> =>
  tell(hub, { account: accountId, sha256 });

/** The same for the outputs of generations that have just succeeded. */
export const onOutputsStored = (hub: Hub, generationIds: string[]): Promise<void> =>
  tell(hub, { outputsOf: generationIds });

async function tell(hub: Hub, waiting: SupplyFilter): Promise<void> {
  try {
    await queueSupplied(hub, waiting);
  } catch (error) {
    hub.log.warn({ err: error as Error }, "what waited for new content is left to the sweep");
  }
}
