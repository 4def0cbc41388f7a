import type { Hub } from "../../context";
import { getAccount } from "./find";

/**
 * Suspends or reactivates an account. Its keys stop working at once; accepted generations still run. Its sessions end
 * permanently, so that none of them resumes when the account is reactivated.
 */
export async function suspendAccount(hub: Hub, email: string, suspended: boolean): Promise<void> {
  const { id } = await getAccount(hub, email);
  await hub.db.query("UPDATE account SET suspended = $2, session_version = session_version + 1 WHERE id = $1", [
    id,
    suspended,
  ]);
}
