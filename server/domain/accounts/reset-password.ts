import type { Hub } from "../../context";
import type { Queryable } from "../../db/client";
import { invalidInput } from "../../errors";
import { networkCounters, throttleAttempts } from "../sessions/throttle";
import { cancelPendingDeliveries } from "../webhooks/revoke";
import { type RevokedAccess, revokeUnverifiedAccess, hasCancelableGenerations } from "./revoke-unverified-access";
import { hashPassword } from "./password";
import { hashToken } from "./request-reset";

/** What a reset changed beside the password. */
export interface ResetResult {
  email: string;
  revokedKeys: number;
  revokedWebhooks: number;
  canceledGenerations: number;
}

/**
 * Sets a new password by the link of an e-mail, once, and ends all sessions. If the address was never proved before, the
 * account may have been somebody else's until now: whatever it acts and sends by ends in the same transaction.
 * 400 for a link that is used, old or none; 429.
 */
export async function resetPassword(
  hub: Hub,
  request: { token: string; password: string },
  address: string | null,
): Promise<ResetResult> {
  const hash = hashToken(request.token);
  const isGood = () =>
    hub.db.query("SELECT FROM password_reset WHERE hash = $1 AND expires_at > $2", [hash, hub.now()]);
  // Hashing a password is work, which a made-up link must not cause.
  const good = await throttleAttempts(
    hub,
    networkCounters(hub, address),
    async () => (await isGood()).length > 0 || null,
  );
  const reset = good && (await applyReset(hub, hash, await hashPassword(request.password)));
  if (!reset) throw invalidInput("token", "was used already, or is older than an hour; ask for a new one");
  const { id, email, keys, webhooks, generations } = reset;
  for (const generation of generations) hub.publish({ name: "generation/canceled", data: { id: generation } });
  if (webhooks > 0) await cancelPendingDeliveries(hub, { accountId: id });
  return { email, revokedKeys: keys, revokedWebhooks: webhooks, canceledGenerations: generations.length };
}

type Reset = RevokedAccess & { id: number; email: string };

const NOTHING: RevokedAccess = { keys: 0, webhooks: 0, generations: [] };

/** Null when the link was used meanwhile. */
async function applyReset(hub: Hub, hash: Buffer, passwordHash: string): Promise<Reset | null> {
  for (;;) {
    const reset = await hub.db.transaction((tx) => resetWithin(tx, hash, passwordHash, hub.now())).catch(retryIfLate);
    if (reset !== "again") return reset;
  }
}

async function resetWithin(tx: Queryable, hash: Buffer, passwordHash: string, now: Date): Promise<Reset | null> {
  const [owner] = await tx.query<{ id: number; email: string; proved: boolean }>(useLinkSql, [hash, now]);
  if (!owner) return null;
  const { id, email, proved } = owner;
  // Generations are locked before their account, as everywhere.
  const ended = proved ? NOTHING : await revokeUnverifiedAccess(tx, id, now);
  await tx.query(setPasswordSql, [id, passwordHash, now]);
  if (!proved && (await hasCancelableGenerations(tx, id))) throw new AcceptedMeanwhile();
  return { id, email, ...ended };
}

/** A generation was accepted after the others were canceled and before the account was locked. */
class AcceptedMeanwhile extends Error {}

function retryIfLate(error: unknown): "again" {
  if (error instanceof AcceptedMeanwhile) return "again";
  throw error;
}

const useLinkSql = `
  WITH used AS (DELETE FROM password_reset WHERE hash = $1 AND expires_at > $2 RETURNING account_id)
  SELECT a.id, a.email, a.email_verified_at IS NOT NULL AS proved FROM used JOIN account a ON a.id = used.account_id`;

const setPasswordSql = `
  UPDATE account SET password_hash = $2, session_version = session_version + 1,
                     email_verified_at = coalesce(email_verified_at, $3)
  WHERE id = $1`;
