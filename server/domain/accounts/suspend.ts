import type { Hub } from "../../context";
import { getAccount } from "./find";

/**
 * Shuts an account out, or in again: its keys stop at once, what it has paid for still runs. Its sessions end for good,
 * so that none of them opens again with the account.
 */
export async function suspendAccount(hub: Hub, email: string, suspended: boolean): Promise<void> {
  const { id } = await getAccount(hub, email);
  await hub.db.query("UPDATE account SET suspended = $2, session_version = session_version + 1 WHERE id = $1", [
    id,
    suspended,
  ]);
}
