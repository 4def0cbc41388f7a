import type { Queryable } from "../../db/client";
import { applyEndings } from "../generations/finish";
import type { Status } from "../generations/transitions";

/** What was ended of an account whose address nobody had proved. */
export interface RevokedAccess {
  keys: number;
  webhooks: number;
  /** Ids of the generations that were canceled. */
  generations: string[];
}

/**
 * Ends what an account acts and sends by, within the caller's transaction: keys, webhooks, identities at other services,
 * and every generation that has not started or runs on a worker, trainings among them, settled as its own cancel would.
 * A generation that runs at a provider, or a chat, ends by itself.
 */
export async function revokeUnverifiedAccess(tx: Queryable, accountId: number, now: Date): Promise<RevokedAccess> {
  // Before the generations end, so that what they tell is owed to none of these webhooks.
  const [{ keys, webhooks }] = (await tx.query<{ keys: number; webhooks: number }>(revokeSql, [accountId, now])) as [
    { keys: number; webhooks: number },
  ];
  const rows = await tx.query<{ id: string; status: Status; fence: number }>(findCancelableSql, [accountId]);
  const endings = rows.map(({ id, status, fence }) => ({ id, from: [status], to: "canceled" as const, fence }));
  const ended = await applyEndings(tx, endings, now);
  return { keys, webhooks, generations: ended.map(({ id }) => id) };
}

/**
 * Returns whether a generation of the account could still act. Under the account's lock the answer lasts: nothing new is
 * accepted, and nothing queued starts.
 */
export async function hasCancelableGenerations(tx: Queryable, accountId: number): Promise<boolean> {
  return (await tx.query(findCancelableSql, [accountId])).length > 0;
}

const revokeSql = `
  WITH revoked_key AS (
    UPDATE api_key SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL RETURNING id
  ),
  revoked_webhook AS (
    UPDATE endpoint SET revoked_at = $2, previous_secret = NULL, previous_until = NULL
    WHERE account_id = $1 AND revoked_at IS NULL RETURNING id
  ),
  unlinked AS (DELETE FROM identity WHERE account_id = $1)
  SELECT (SELECT count(*)::int FROM revoked_key) AS keys, (SELECT count(*)::int FROM revoked_webhook) AS webhooks`;

const findCancelableSql = `
  SELECT id, status, fence FROM generation
  WHERE account_id = $1 AND (status IN ('queued', 'awaiting_supply') OR status = 'running' AND provider = 'worker')`;
