import type { Queryable } from "../../db/client";
import { invalidInput } from "../../errors";
import { consumeReset, hashInTurn, hashToken, isResetPending } from "../passwords";
import { networkCounters, throttleAttempts } from "../rates";
import type { RecoveryHub } from "./hub";
import type { RevokedAccess } from "./revoke-unverified-access";
import { announceRevoked, runSecuring, securePerson } from "./secure-person";

/** What a reset changed in addition to the password. */
interface ResetResult {
  email: string;
  revokedKeys: number;
  revokedWebhooks: number;
  canceledGenerations: number;
}

/** Returns whether the token of a reset link can be used. Throws a 429 after too many attempts from one network. */
export async function canReset(hub: RecoveryHub, token: string, address: string | null): Promise<boolean> {
  return (await checkToken(hub, hashToken(token), address)) === true;
}

const checkToken = (hub: RecoveryHub, hash: Buffer, address: string | null): Promise<true | null> =>
  throttleAttempts(hub, networkCounters(hub, address), async () => (await isResetPending(hub, hash)) || null);

/**
 * Sets a new password with the token of a reset link, which works once, and ends all sessions. If the address was
 * unverified, a stranger may have signed up with it, whose access is revoked in the same transaction. Throws a 400 for an
 * invalid, used or expired token, and a 429 after too many attempts.
 */
export async function resetPassword(
  hub: RecoveryHub,
  request: { token: string; password: string },
  address: string | null,
): Promise<ResetResult> {
  const hash = hashToken(request.token);
  // The token is checked first, because hashing the password is expensive.
  const isValid = await checkToken(hub, hash, address);
  const passwordHash = isValid && (await hashInTurn(hub, request.password, address));
  const reset = passwordHash && (await runSecuring(hub, (tx) => resetInTransaction(tx, hash, passwordHash, hub.now())));
  if (!reset) throw invalidInput("token", "was used already or has expired; request a new one");
  await announceRevoked(hub, reset);
  const { email, keys, webhooks, generations } = reset;
  return { email, revokedKeys: keys, revokedWebhooks: webhooks, canceledGenerations: generations.length };
}

/** Resets the password; returns null if the token was used meanwhile. */
async function resetInTransaction(
  tx: Queryable,
  hash: Buffer,
  passwordHash: string,
  now: Date,
): Promise<(RevokedAccess & { email: string }) | null> {
  const [person] = await consumeReset(tx, hash, now);
  return person ? { email: person.email, ...(await securePerson(tx, person, passwordHash, now)) } : null;
}
