import type { Ctx } from "../../context";
import { int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { MAX_IDLE_S, MAX_SESSION_S } from "./resolve-session";

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
