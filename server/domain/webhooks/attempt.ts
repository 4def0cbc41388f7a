import type { Hub } from "../../context";
import { claim } from "./claim";
import { judge } from "./judge";
import { record } from "./record";
import { send } from "./send";

/** What the run of a delivery does next; `until` is in ISO 8601. */
export type Step = { next: "wait"; until: string } | { next: "end"; state: string };

/**
 * Makes the next attempt of a delivery, if it is due (specification, section 6). The row decides: of several callers
 * one makes the attempt, and the others are told when to look again. An attempt that a crash cut off is made again,
 * under the same id and with the same bytes.
 */
export async function attempt(hub: Hub, id: string, round: number): Promise<Step> {
  const claimed = await claim(hub, id, round);
  if (!claimed) return look(hub, id, round);
  const startedAt = hub.now();
  const result = await send(hub, claimed, startedAt);
  const now = hub.now();
  // A test is for whoever waits for its result: it is tried once.
  const delays = claimed.generation_id === null ? [] : hub.env.WEBHOOK_RETRY_DELAYS_SECONDS;
  const verdict = judge(result, claimed.attempts + 1, delays, now);
  const retryAt = verdict.next === "retry" ? new Date(now.getTime() + verdict.afterSeconds * 1000) : null;
  await record(hub, claimed, result, { startedAt, verdict, retryAt });
  return retryAt ? { next: "wait", until: retryAt.toISOString() } : { next: "end", state: verdict.next };
}

interface Row {
  state: string;
  round: number;
  next_attempt_at: Date | null;
  revoked: boolean;
}

async function look(hub: Hub, id: string, round: number): Promise<Step> {
  const [row] = await hub.db.query<Row>(
    `SELECT d.state, d.round, d.next_attempt_at, p.revoked_at IS NOT NULL AS revoked
     FROM delivery d JOIN endpoint p ON p.id = d.endpoint_id WHERE d.id = $1`,
    [id],
  );
  if (!row || row.round !== round || !row.next_attempt_at) return { next: "end", state: row?.state ?? "gone" };
  if (!row.revoked) return { next: "wait", until: row.next_attempt_at.toISOString() };
  // It was written in the very moment of the revocation.
  await hub.db.query(
    `UPDATE delivery SET state = 'canceled', ended_at = $2, next_attempt_at = NULL, nudge_at = NULL
     WHERE id = $1 AND state = 'pending'`,
    [id, hub.now()],
  );
  return { next: "end", state: "canceled" };
}
