import type { Hub, Ctx } from "../../context";
import { int4, text, timestamptz, uuid, nullable, int8Number } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId, isId } from "../../lib/id";
import { AppError } from "../../errors";
import type { SignedIn } from "./sign-in";
import { MAX_IDLE_S, MAX_SESSION_S } from "./resolve-session";

/** Open sessions per account; another sign-in ends the one that was idle longest. */
export const MAX_SESSIONS = 100;

/**
 * Inserts a session and returns its id; null when the account was suspended, or all its sessions were ended, after the
 * credentials were checked.
 */
export async function beginSession(
  hub: Hub,
  { id, sessionVersion }: SignedIn,
  browser: string,
): Promise<string | null> {
  const [row] = await insertSession(hub.db, newId(), id, sessionVersion, browser, hub.now());
  return row?.id ?? null;
}

const insertSession = statement({
  params: [uuid, int4, int4, text, timestamptz],
  row: { id: uuid },
  text: `
  WITH surplus AS (
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE account_id = $2 ORDER BY last_seen_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1})
  )
  INSERT INTO session (id, account_id, version, browser, created_at, last_seen_at)
  SELECT $1, id, session_version, $4, $5, $5 FROM account WHERE id = $2 AND session_version = $3 AND NOT suspended
  RETURNING id`,
});

/** A browser that is signed in to the account. */
export interface SessionItem {
  id: string;
  browser: string;
  created_at: string;
  /** Accurate to the minute. */
  last_seen_at: string;
  /** Whether this is the caller's own session. */
  is_current: boolean;
}

/** Returns the account's open sessions: the caller's own first, then by most recent activity. */
export async function listSessions(ctx: Ctx): Promise<SessionItem[]> {
  const current = ctx.actor.kind === "user" ? (ctx.actor.sessionId ?? null) : null;
  const now = ctx.hub.now().getTime();
  const rows = await selectSessions(
    ctx.hub.db,
    ctx.account.id,
    new Date(now - MAX_IDLE_S * 1000),
    new Date(now - MAX_SESSION_S * 1000),
    current,
  );
  return rows.map(({ id, browser, created_at, last_seen_at }) => ({
    id,
    browser,
    created_at: created_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    is_current: id === current,
  }));
}

const selectSessions = statement({
  params: [int4, timestamptz, timestamptz, nullable(uuid)],
  row: { id: uuid, browser: text, created_at: timestamptz, last_seen_at: timestamptz },
  text: `
  SELECT s.id, s.browser, s.created_at, s.last_seen_at
  FROM session s JOIN account a ON a.id = s.account_id
  WHERE s.account_id = $1 AND s.version = a.session_version AND s.last_seen_at >= $2 AND s.created_at >= $3
  ORDER BY s.id IS DISTINCT FROM $4::uuid, s.last_seen_at DESC, s.id DESC`,
});

/** Ends the browser's own session on sign-out; does nothing when it has already ended. */
export async function signOut(hub: Hub, sessionId: string): Promise<void> {
  await hub.db.prisma.session.deleteMany({ where: { id: sessionId } });
}

/** Ends one of the caller's sessions: its next request is rejected. Throws a 404 when it does not exist or has ended. */
export async function endSession(ctx: Ctx, id: string): Promise<void> {
  const where = { id, accountId: ctx.account.id };
  const ended = isId(id) ? await ctx.hub.db.prisma.session.deleteMany({ where }) : { count: 0 };
  if (ended.count === 0) throw new AppError("resource_not_found", "This session has already ended.");
}

/** Deletes at most `limit` sessions that are past their maximum age, and returns how many. */
export async function purgeSessions(hub: Hub, limit: number): Promise<number> {
  const oldest = new Date(hub.now().getTime() - MAX_SESSION_S * 1000);
  return (await deleteSessions(hub.db, oldest, limit)).length;
}

const deleteSessions = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id`,
});
