import type { Account, Actor, Hub } from "../../context";
import { createTouch, isTouchDue } from "../../db/touch";
import { bool, int4, int8, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { SessionClaims } from "../../lib/session-token";

const DAY_S = 86_400;
/** Seconds without a request after which a session ends. */
export const MAX_IDLE_S = 7 * DAY_S;
/** Seconds after sign-in at which a session ends, even when it is in use. */
export const MAX_SESSION_S = 30 * DAY_S;

/** The account and actor of a session. */
export interface ResolvedSession {
  account: Account;
  actor: Extract<Actor, { kind: "user" }>;
}

/**
 * Returns the account and actor of a session; null when it has expired, was signed out, or its account is or was
 * suspended. Runs one statement and caches nothing, so an ended session is rejected on its very next request.
 */
export async function resolveSession(
  hub: Hub,
  { sessionId, began, seen }: SessionClaims,
): Promise<ResolvedSession | null> {
  const now = hub.now();
  const seconds = Math.floor(now.getTime() / 1000);
  if (seconds - seen > MAX_IDLE_S || seconds - began > MAX_SESSION_S) return null;
  const [row] = await selectAccount(hub.db, sessionId);
  if (!row) return null;
  const { last_seen_at, reply_retention_days: replyRetentionDays, ...account } = row;
  if (isTouchDue(last_seen_at, now)) hub.services.touchSession(sessionId);
  return { account: { ...account, replyRetentionDays }, actor: { kind: "user", sessionId } };
}

/** Returns a function that records the use of a session. */
export const createSessionTouch = (hub: Hub) => createTouch(hub, "session.last_seen_at");

const selectAccount = statement({
  params: [uuid],
  row: {
    id: int4,
    email: text,
    member: bool,
    balance: int8,
    reserved: int8,
    reply_retention_days: nullable(int4),
    last_seen_at: timestamptz,
  },
  text: `
    SELECT a.id, a.email, a.member, a.balance, a.reserved, a.reply_retention_days, s.last_seen_at
    FROM session s JOIN account a ON a.id = s.account_id
    WHERE s.id = $1 AND s.version = a.session_version AND NOT a.suspended`,
});
