import type { Account, Hub } from "../../context";
import type { SessionClaims } from "../../lib/session-token";

const DAY_S = 86_400;
/** Seconds without a visit after which a session ends. */
export const IDLE_S = 7 * DAY_S;
/** Seconds after which a session ends in any case. */
export const LONGEST_S = 30 * DAY_S;

/** The account of a session; null when it has ended: by time, signed out everywhere, or because the account is suspended. */
export async function openSession(hub: Hub, claims: SessionClaims): Promise<Account | null> {
  const now = Math.floor(hub.now().getTime() / 1000);
  if (now - claims.seen > IDLE_S || now - claims.began > LONGEST_S) return null;
  const [account] = await hub.db.query<Account>(
    `SELECT id, email, member, balance, reserved FROM account
     WHERE id = $1 AND session_version = $2 AND NOT suspended`,
    [claims.accountId, claims.version],
  );
  return account ?? null;
}
