import type { Hub } from "../../context";

/** Ends every session of an account, on every device, at once. */
export async function signOutEverywhere(hub: Hub, accountId: number): Promise<void> {
  await hub.db.query("UPDATE account SET session_version = session_version + 1 WHERE id = $1", [accountId]);
}
