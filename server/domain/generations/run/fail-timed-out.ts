import { randomUUID } from "node:crypto";
import { bool, int8Number, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { findAttempts, type Run, takeOver } from "../attempts";
import { extendedDeadlineSql } from "../attempts/sql";
import { internalError, timedOut } from "../row";
import { finishGeneration } from "../end";
import { endLostChat } from "./chat-lease";
import { endRun } from "./end-run";
import type { RunHub } from "./hub";
import { isEnding, toEnding } from "./next-action";
import { runAttempt } from "./run-attempt";

const GRACE_PERIOD_MS = 30_000;
const MAX_ROWS = 200;

/**
 * Ends up to 200 running generations that are past their deadline and have no active run. A provider that accepted the
 * work is polled once more first. Returns how many have ended.
 */
export async function failTimedOut(hub: RunHub): Promise<number> {
  const now = hub.now();
  const rows = await selectTimedOut(hub.db, now, new Date(now.getTime() - GRACE_PERIOD_MS), MAX_ROWS);
  const ended = await Promise.all(rows.map((row) => failTimedOutRow(hub, row)));
  return ended.filter(Boolean).length;
}

const timedOutColumns = { id: uuid, is_llm: bool, is_claimed: bool };

// A chat's deadline is its lease, which its process renews.
const selectTimedOut = statement({
  params: [timestamptz, timestamptz, int8Number],
  row: timedOutColumns,
  text: `
    SELECT id, is_llm, claim_expires_at IS NOT NULL AS is_claimed FROM generation g
    WHERE status = 'running' AND deadline_at < $2
      AND (claim_expires_at IS NULL OR (claim_expires_at < $1 AND ${extendedDeadlineSql("$1")} < $2))
    ORDER BY deadline_at LIMIT $3`,
});

async function failTimedOutRow(
  hub: RunHub,
  { id, is_llm, is_claimed }: RowOf<typeof timedOutColumns>,
): Promise<boolean> {
  if (is_claimed) return pollAndEnd(hub, { generationId: id, runId: randomUUID() });
  if (is_llm) return endLostChat(hub, id);
  return (await finishGeneration(hub, { id, from: ["running"], to: "failed", error: timedOut })) !== null;
}

async function pollAndEnd(hub: RunHub, run: Run): Promise<boolean> {
  if (!(await takeOver(hub, run))) return false;
  const attempts = await findAttempts(hub, run.generationId);
  const open = attempts.find(({ outcome }) => outcome === null);
  try {
    const action = await runAttempt(hub, run, open?.n ?? attempts.length + 1);
    if (!isEnding(action)) return false;
    await endRun(hub, run, toEnding(action));
  } catch (error) {
    hub.log.error({ err: error, generation: run.generationId }, "generation result not stored");
    await endRun(hub, run, { to: "failed", error: internalError });
  }
  return true;
}
