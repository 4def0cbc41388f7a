import { bool, int4, int8, jsonb, jsonbText, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId } from "../../lib/id";
import { type Audit, runAudit, type Violation } from "./audit";
import { closeMonths } from "./closings";
import type { AuditHub } from "./hub";

const MAX_EXAMPLES = 20;

/**
 * Runs the audit and stores its verdict for the operator's console. An audit without violations closes the months that are
 * over, so that later audits start after them.
 */
export async function recordAudit(hub: AuditHub, { isFull = false } = {}): Promise<Audit> {
  const started = hub.now();
  const audit = await runAudit(hub.db, { isFull });
  const finished = hub.now();
  const examples = JSON.stringify(audit.violations.slice(0, MAX_EXAMPLES));
  const figures = [finished.getTime() - started.getTime(), BigInt(audit.entries), audit.violations.length] as const;
  await insertVerdict(hub.db, newId(), finished, ...figures, examples, audit.closed_until === null);
  if (audit.violations.length === 0) await closeMonths(hub);
  return audit;
}

/** A little less than a day, so that a search every hour audits at the same hour. */
const DUE_MS = 23.5 * 3_600_000;

/** Runs the audit, unless one has finished in the last day, by whoever it was. Returns null if it did not. */
export async function auditDaily(hub: AuditHub): Promise<Audit | null> {
  const [last] = await selectVerdict(hub.db);
  if (last && hub.now().getTime() - last.finished_at.getTime() < DUE_MS) return null;
  return recordAudit(hub);
}

const insertVerdict = statement({
  params: [uuid, timestamptz, int4, int8, int4, jsonbText, bool],
  row: {},
  text: `
    INSERT INTO audit_verdict (id, finished_at, duration_ms, entries, violations, examples, is_full)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
});

/** Returns the verdict of the last audit; null if none was run. */
export async function findVerdict(hub: AuditHub) {
  const [verdict] = await selectVerdict(hub.db);
  if (!verdict) return null;
  const { finished_at, duration_ms, entries, violations, examples } = verdict;
  return { finished_at: finished_at.toISOString(), duration_ms, entries: Number(entries), violations, examples };
}

/** Returns when the last full audit finished; null if none was run. */
export async function findFullAuditTime(hub: AuditHub): Promise<Date | null> {
  return (await selectFullAuditTime(hub.db))[0]?.finished_at ?? null;
}

const selectFullAuditTime = statement({
  params: [],
  row: { finished_at: timestamptz },
  text: "SELECT finished_at FROM audit_verdict WHERE is_full ORDER BY id DESC LIMIT 1",
});

const selectVerdict = statement({
  params: [],
  row: { finished_at: timestamptz, duration_ms: int4, entries: int8, violations: int4, examples: jsonb<Violation[]>() },
  text: "SELECT finished_at, duration_ms, entries, violations, examples FROM audit_verdict ORDER BY id DESC LIMIT 1",
});
