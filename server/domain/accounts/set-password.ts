import type { Hub } from "../../context";
import { getAccount } from "./find";
import { hashPassword } from "./password";

/**
 * Gives an account the password of its sign-in, takes the old one away, and ends all its sessions.
 * 400 when it is too short or too long, 404 when there is no such account.
 */
export async function setPassword(hub: Hub, email: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  const { id } = await getAccount(hub, email);
  await replacePassword(hub, id, passwordHash);
}

/** The change itself, one statement: links that were sent to set another one are void as well. */
export async function replacePassword(hub: Hub, accountId: number, passwordHash: string): Promise<void> {
  await hub.db.query(
    `WITH void AS (DELETE FROM password_reset WHERE account_id = $1)
     UPDATE account SET password_hash = $2, session_version = session_version + 1 WHERE id = $1`,
    [accountId, passwordHash],
  );
}
