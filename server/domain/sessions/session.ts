import type { Role } from "../../context";
import { int4, notNull, text, textOf, timestamptz, uuid, int8Number } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId, isId } from "../../lib/id";
import { AppError } from "../../errors";
import type { SessionsHub } from "./hub";
import type { SignedIn } from "./sign-in";
import { MAX_IDLE_S, MAX_SESSION_S, type SessionCtx } from "./resolve-session";

/** Open sessions per person; one more sign-in ends the session that was idle longest. */
export const MAX_SESSIONS = 100;

/** How a person signed in, before any second factor. */
export type FirstStep = "password" | "identity";

/**
 * Inserts a session and returns its id. It acts for the account of the person's most recent session, otherwise for one that
 * they own. Returns null if all sessions of the person were ended after the credentials were checked, or they are a member
 * of no active account.
 */
export async function beginSession(
  hub: SessionsHub,
  { id, sessionVersion }: SignedIn,
  browser: string,
  firstStep: FirstStep = "password",
): Promise<string | null> {
  const [session] = await insertSession(hub.db, newId(), id, sessionVersion, browser, hub.now(), firstStep);
  return session?.id ?? null;
}

const insertSession = statement({
  params: [uuid, int4, int4, text, timestamptz, text],
  row: { id: uuid },
  text: `
  WITH surplus AS (
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE person_id = $2 ORDER BY last_seen_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1})
  )
  INSERT INTO session (id, person_id, person_version, account_id, version, browser, created_at, last_seen_at, first_step,
    first_step_at)
  SELECT $1, p.id, p.session_version, a.id, a.session_version, $4, $5, $5, $6, $5
  FROM person p JOIN membership m ON m.person_id = p.id JOIN account a ON a.id = m.account_id
  LEFT JOIN LATERAL (
    SELECT max(last_seen_at) AS at FROM session WHERE person_id = p.id AND account_id = a.id
  ) latest ON true
  WHERE p.id = $2 AND p.session_version = $3 AND NOT a.suspended
  ORDER BY latest.at DESC NULLS LAST, m.role <> 'owner', m.created_at, a.id LIMIT 1
  RETURNING id`,
});

/** A browser on which the person is signed in. */
interface SessionItem {
  id: string;
  browser: string;
  created_at: string;
  /** Accurate to the minute. */
  last_seen_at: string;
  /** Whether this is the caller's own session. */
  is_current: boolean;
}

/** Returns the person's open sessions for all accounts: the current one first, then by most recent activity. */
export async function listSessions(ctx: SessionCtx<SessionsHub>): Promise<SessionItem[]> {
  const current = ctx.actor.sessionId;
  const now = ctx.hub.now().getTime();
  const rows = await selectSessions(
    ctx.hub.db,
    ctx.actor.person.id,
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
  params: [int4, timestamptz, timestamptz, uuid],
  row: { id: uuid, browser: text, created_at: timestamptz, last_seen_at: timestamptz },
  text: `
  SELECT s.id, s.browser, s.created_at, s.last_seen_at
  FROM session s JOIN account a ON a.id = s.account_id JOIN person p ON p.id = s.person_id
  WHERE s.person_id = $1 AND s.person_version = p.session_version AND s.version = a.session_version
    AND s.last_seen_at >= $2 AND s.created_at >= $3
  ORDER BY s.id <> $4::uuid, s.last_seen_at DESC, s.id DESC`,
});

/** Ends the session that signs out; does nothing if it has already ended. */
export async function signOut(hub: SessionsHub, sessionId: string): Promise<void> {
  await hub.db.prisma.session.deleteMany({ where: { id: sessionId } });
}

/** Ends one of the caller's sessions from its next request on. Throws a 404 if it does not exist or has ended. */
export async function endSession(ctx: SessionCtx<SessionsHub>, id: string): Promise<void> {
  const where = { id, personId: ctx.actor.person.id };
  const { count } = isId(id) ? await ctx.hub.db.prisma.session.deleteMany({ where }) : { count: 0 };
  if (count === 0) throw new AppError("resource_not_found", "This session has already ended.");
}

/** Deletes at most `limit` sessions that are past their maximum age, and returns how many. */
export async function purgeSessions(hub: SessionsHub, limit: number): Promise<number> {
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

/** Locks the sessions in which the person `$1` acts for the account `$2`. */
export const lockSessionsOf = statement({
  params: [int4, int4],
  row: { id: uuid },
  text: "SELECT id FROM session WHERE person_id = $1 AND account_id = $2 ORDER BY id FOR UPDATE",
});

/** Deletes the sessions in which the person `$1` acts for the account `$2`. */
export const deleteSessionsOf = statement({
  params: [int4, int4],
  row: {},
  text: "DELETE FROM session WHERE person_id = $1 AND account_id = $2",
});

/** An account that a person may act for. */
export interface OwnAccount {
  id: number;
  /** Its name; without one, its contact address. */
  name: string;
  email: string;
  role: Role;
  is_current: boolean;
}

/** Returns the accounts that the person may act for, by name. */
export async function listAccounts({ hub, account, actor }: SessionCtx<SessionsHub>): Promise<OwnAccount[]> {
  const current = actor.view?.ownAccountId ?? account.id;
  const rows = await selectAccounts(hub.db, actor.person.id);
  return rows.map((row) => ({ ...row, is_current: row.id === current }));
}

const selectAccounts = statement({
  params: [int4],
  row: { id: int4, name: notNull(text), email: text, role: textOf<Role>() },
  text: `
    SELECT a.id, coalesce(a.name, a.email) AS name, a.email, m.role FROM membership m JOIN account a ON a.id = m.account_id
    WHERE m.person_id = $1 AND NOT a.suspended ORDER BY lower(coalesce(a.name, a.email)), a.id LIMIT 200`,
});

/**
 * Switches the session to another account of the person, which may require a second factor first. Throws a 404 if they may
 * not act for it.
 */
export async function switchAccount({ hub, actor }: SessionCtx<SessionsHub>, accountId: number): Promise<void> {
  const [switched] = await updateAccount(hub.db, actor.sessionId, accountId, hub.now());
  if (!switched) throw new AppError("resource_not_found", "There is no such account.");
}

const updateAccount = statement({
  params: [uuid, int4, timestamptz],
  row: { id: uuid },
  text: `
    UPDATE session SET account_id = a.id, version = a.session_version, switched_at = $3
    FROM membership m JOIN account a ON a.id = m.account_id
    WHERE session.id = $1 AND m.person_id = session.person_id AND a.id = $2 AND NOT a.suspended RETURNING session.id`,
});

/** Records that a second factor was given in the session `$1`, and returns the row while there is one. */
export const markVerified = statement({
  params: [uuid, timestamptz],
  row: { id: uuid },
  text: "UPDATE session SET verified_at = $2 WHERE id = $1 RETURNING id",
});

/** Records that the person of the session `$1` entered the password again. */
export const markFirstStep = statement({
  params: [uuid, timestamptz],
  row: {},
  text: "UPDATE session SET first_step_at = $2 WHERE id = $1",
});
