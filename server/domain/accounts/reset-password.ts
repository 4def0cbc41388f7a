import type { Hub } from "../../context";
import { invalidInput } from "../../errors";
import { throttle } from "../sessions/throttle";
import { hashPassword } from "./password";
import { hashToken } from "./request-reset";

/**
 * Sets a new password by the link of an e-mail, once, and ends all sessions. Answers the account's address, and how many
 * API keys were revoked with it: those of an account whose address was never proved before may be somebody else's.
 * 400 for a link that is used, old or none; 429.
 */
export async function resetPassword(
  hub: Hub,
  request: { token: string; password: string },
  address: string | null,
): Promise<{ email: string; revokedKeys: number }> {
  const hash = hashToken(request.token);
  const isGood = () =>
    hub.db.query("SELECT FROM password_reset WHERE hash = $1 AND expires_at > $2", [hash, hub.now()]);
  // Hashing a password is work, which a made-up link must not cause.
  const good = await throttle(hub, { email: null, address }, async () => (await isGood()).length > 0 || null);
  const passwordHash = good && (await hashPassword(request.password));
  const [account] = passwordHash ? await hub.db.query<Row>(statement, [hash, hub.now(), passwordHash]) : [];
  if (!account) throw invalidInput("token", "was used already, or is older than an hour; ask for a new one");
  return { email: account.email, revokedKeys: account.revoked };
}

interface Row {
  email: string;
  revoked: number;
}

const statement = `
  WITH used AS (DELETE FROM password_reset WHERE hash = $1 AND expires_at > $2 RETURNING account_id),
  changed AS (
    UPDATE account SET password_hash = $3, session_version = session_version + 1,
                       email_verified_at = coalesce(email_verified_at, $2)
    FROM used WHERE account.id = used.account_id RETURNING account.email
  ),
  revoked AS (
    UPDATE api_key k SET revoked_at = $2
    FROM used JOIN account a ON a.id = used.account_id
    WHERE k.account_id = a.id AND a.email_verified_at IS NULL AND k.revoked_at IS NULL
    RETURNING k.id
  )
  SELECT email, (SELECT count(*)::int FROM revoked) AS revoked FROM changed`;
