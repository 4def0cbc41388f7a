import type { HubParts } from "../../context";
import { operate, type Operator, type OperatorActionsHub } from "../operator-actions";
import { bool, int4, int8Number, notNull, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { newId } from "../../lib/id";
import type { SessionCtx } from "../sessions";

/** The parts of the hub that views use. */
export type ViewsHub = Pick<HubParts, "db" | "now"> & OperatorActionsHub;

const VIEW_MS = 15 * 60_000;

/**
 * Lets the session of a person with a role of the hub view an account as its members see it, read-only and for 15 minutes.
 * Prompts, outputs and files are shown only if a reason is given. Throws a 404 for an unknown account.
 */
export async function startView(
  { hub, actor }: SessionCtx<ViewsHub>,
  operator: Operator,
  { accountId, reason }: { accountId: number; reason: string | null },
): Promise<void> {
  const now = hub.now();
  const until = new Date(now.getTime() + VIEW_MS);
  const target = { kind: "account", id: String(accountId) };
  // The end of an expired view may not be recorded yet.
  await endView(hub, operator, actor.sessionId);
  await operate(hub, operator, { action: "view.start", target, reason }, async (tx) => {
    const showsContent = reason !== null;
    const [started] = await insertView(
      tx,
      newId(),
      actor.sessionId,
      actor.person.id,
      accountId,
      showsContent,
      now,
      until,
    );
    if (!started) throw new AppError("resource_not_found", "There is no such account.");
    return { before: null, after: { until: until.toISOString(), shows_content: showsContent }, result: undefined };
  });
}

const insertView = statement({
  params: [uuid, uuid, int4, int4, bool, timestamptz, timestamptz],
  row: { id: uuid },
  text: `
    INSERT INTO account_view (id, session_id, person_id, account_id, shows_content, started_at, expires_at)
    SELECT $1, $2, $3, id, $5, $6, $7 FROM account WHERE id = $4 RETURNING id`,
});

/** Ends the view of a session and records its end; does nothing without one. */
export async function endView(hub: ViewsHub, operator: Operator, sessionId: string): Promise<void> {
  const [view] = await selectOpenView(hub.db, sessionId);
  if (!view) return;
  const target = { kind: "account", id: String(view.account_id) };
  await operate(hub, operator, { action: "view.end", target }, async (tx) => {
    const [ended] = await updateEnded(tx, view.id, hub.now());
    return ended ? { before: null, after: { ended_at: ended.ended_at.toISOString() }, result: undefined } : null;
  });
}

const selectOpenView = statement({
  params: [uuid],
  row: { id: uuid, account_id: int4 },
  text: "SELECT id, account_id FROM account_view WHERE session_id = $1 AND ended_at IS NULL",
});

const updateEnded = statement({
  params: [uuid, timestamptz],
  row: { ended_at: notNull(timestamptz) },
  text: `
    UPDATE account_view SET ended_at = least(expires_at, $2) WHERE id = $1 AND ended_at IS NULL RETURNING ended_at`,
});

/** Records the end of views that have expired, or whose session was signed out, and returns how many. */
export async function endStaleViews(hub: ViewsHub, limit: number): Promise<number> {
  const stale = await selectStale(hub.db, hub.now(), limit);
  for (const { session_id, person_id: personId, email: name } of stale)
    await endView(hub, { personId, name, address: null, requestId: null }, session_id);
  return stale.length;
}

const selectStale = statement({
  params: [timestamptz, int8Number],
  row: { session_id: uuid, person_id: int4, email: text },
  text: `
    SELECT v.session_id, v.person_id, p.email FROM account_view v JOIN person p ON p.id = v.person_id
    WHERE v.ended_at IS NULL
      AND (v.expires_at <= $1 OR NOT EXISTS (SELECT FROM session s WHERE s.id = v.session_id)) LIMIT $2`,
});
