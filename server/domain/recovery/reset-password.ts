import type { Hub } from "../../context";
import type { Queryable } from "../../db/client";
import { invalidInput } from "../../errors";
import { networkCounters, throttleAttempts } from "../rates/throttle";
import { cancelPendingDeliveries } from "../webhooks/revoke";
import { hashPassword } from "../accounts/password";
import { applyReset, consumeReset, hashToken, isResetPending } from "../accounts/request-reset";
import { verifyAddress } from "../signup/open-account";
import { type RevokedAccess, revokeUnverifiedAccess, hasCancelableGenerations } from "./revoke-unverified-access";

/** What a reset changed in addition to the password. */
export interface ResetResult {
  email: string;
  revokedKeys: number;
  revokedWebhooks: number;
  canceledGenerations: number;
}

/**
 * Sets a new password with the token of a reset link, which works once, and ends all sessions. If the address was
 * unverified, the account may have been controlled by somebody else: its access is revoked in the same transaction.
 * Throws a 400 for an invalid, used or expired token, and a 429 after too many attempts.
 */
export async function resetPassword(
  hub: Hub,
  request: { token: string; password: string },
  address: string | null,
): Promise<ResetResult> {
  const hash = hashToken(request.token);
  // The token is checked first, because hashing the password is expensive.
  const isValid = await throttleAttempts(
    hub,
    networkCounters(hub, address),
    async () => (await isResetPending(hub, hash)) || null,
  );
  const reset = isValid && (await retryReset(hub, hash, await hashPassword(request.password)));
  if (!reset) throw invalidInput("token", "was used already or has expired; request a new one");
  const { id, email, keys, webhooks, generations } = reset;
  for (const generation of generations) hub.publish({ name: "generation/canceled", data: { id: generation } });
  if (webhooks > 0) await cancelPendingDeliveries(hub, { accountId: id });
  return { email, revokedKeys: keys, revokedWebhooks: webhooks, canceledGenerations: generations.length };
}

type Reset = RevokedAccess & { id: number; email: string };

const NOTHING_REVOKED: RevokedAccess = { keys: 0, webhooks: 0, generations: [] };

/** Returns null when the token was used in the meantime. */
async function retryReset(hub: Hub, hash: Buffer, passwordHash: string): Promise<Reset | null> {
  for (;;) {
    const reset = await hub.db
      .transaction((tx) => resetInTransaction(tx, hash, passwordHash, hub.now()))
      .catch(retryIfAccepted);
    if (reset !== "retry") return reset;
  }
}

async function resetInTransaction(tx: Queryable, hash: Buffer, passwordHash: string, now: Date): Promise<Reset | null> {
  const [owner] = await consumeReset(tx, hash, now);
  if (!owner) return null;
  const { id, email, verified } = owner;
  // Generations are locked before their account, in the same order as everywhere else.
  const ended = verified ? NOTHING_REVOKED : await revokeUnverifiedAccess(tx, id, now);
  await applyReset(tx, id, passwordHash);
  await verifyAddress(tx, id, now);
  if (!verified && (await hasCancelableGenerations(tx, id))) throw new AcceptedDuringReset();
  return { id, email, ...ended };
}

/** Thrown when a generation was accepted after the others were canceled and before the account was locked. */
class AcceptedDuringReset extends Error {}

function retryIfAccepted(error: unknown): "retry" {
  if (error instanceof AcceptedDuringReset) return "retry";
  throw error;
}
