import type { Queryable } from "../../server/db/client";
import { bool, int8Number, int8Text, json, jsonText, nullable, text, uuid } from "../../server/db/column-types";
import { statement } from "../../server/db/statement";
import { commitOutcomes } from "./commit-outcomes";
import type { EngineConnection } from "./engine-connection";
import { matchesCondition } from "./expression";
import { type FunctionConfig, parseOptionalCondition } from "./function-config";
import type { Outcome } from "./outcome";
import { listStarts, type QueuedEvent, startRuns } from "./start-runs";
import { listWaitKeys } from "./wait-key";

const MAX_EVENTS = 1_000;

/**
 * Dispatches the oldest queued events: starts runs, ends waits and cancels runs. Returns whether more events may be
 * queued.
 */
export async function dispatchEvents(
  connection: EngineConnection,
  instanceId: string,
  now: Date,
  configs: Map<string, FunctionConfig>,
): Promise<boolean> {
  const events = await selectQueuedEvents(connection, MAX_EVENTS);
  if (events.length === 0) return false;

  const starts = events.flatMap((event) => listStarts(configs.values(), event));
  // A later event of this batch may cancel a run that an earlier one starts.
  const cancels = new Set(starts.flatMap((start) => start.cancels.map(({ event }) => event)));
  const awaited = events.filter(({ is_awaited, body }) => is_awaited || cancels.has(body.name));
  if (awaited.length === 0) await startRuns(connection, now, events, starts);
  else {
    // Locks groups and then runs, which commits lock first: Postgres may end a deadlock with one, and this runs again.
    await connection.transaction(async (tx) => {
      await startRuns(tx, now, events, starts);
      const outcomes = await matchWaits(tx, awaited);
      if (outcomes.length > 0) await commitOutcomes(tx, instanceId, now, outcomes);
    });
  }
  return events.length === MAX_EVENTS;
}

const selectQueuedEvents = statement({
  params: [int8Number],
  row: { position: int8Text, body: json<QueuedEvent["body"]>(), is_awaited: bool },
  text: `
  SELECT position, body, EXISTS (SELECT FROM engine.wait WHERE event = name) AS is_awaited
  FROM engine.event ORDER BY position LIMIT $1`,
});

/** Returns the outcomes of the waits that the events end: the first event that matches a wait ends it. */
async function matchWaits(db: Queryable, events: QueuedEvent[]): Promise<Outcome[]> {
  const keys = events.flatMap(({ position, body }) =>
    listWaitKeys(body).map((key) => ({ position, name: body.name, key })),
  );
  const candidates = await selectWaitCandidates(db, JSON.stringify(keys));
  const bodies = new Map(events.map(({ position, body }) => [position, body]));
  const outcomes = new Map<string, Outcome>();
  for (const { position, run_id: runId, step, job_id: jobId, expression, event } of candidates) {
    const wait = `${runId} ${step}`;
    const body = bodies.get(position)!;
    if (outcomes.has(wait)) continue;
    if (!matchesCondition(parseOptionalCondition(expression), { event, async: body })) continue;
    if (step === null) outcomes.set(wait, cancelRun(runId));
    else if (jobId !== null) {
      const stepResults = [{ step, value: JSON.stringify(body), failed: false }];
      outcomes.set(wait, { runId, jobId, fromState: "later", stepResults });
    }
  }
  return [...outcomes.values()];
}

const cancelRun = (runId: string): Outcome => ({
  runId,
  jobId: null,
  fromState: null,
  runEnd: { status: "canceled", result: "null" },
});

const selectWaitCandidates = statement({
  params: [jsonText],
  row: {
    position: int8Text,
    run_id: uuid,
    /** Null when the event would cancel the run. */
    step: nullable(text),
    job_id: nullable(int8Text),
    expression: text,
    event: json<object>(),
  },
  text: `
  SELECT e.position, w.run_id, w.step, j.id AS job_id, w.expression, r.event
  FROM json_to_recordset($1) AS e (position bigint, name text, key text)
  JOIN engine.wait w ON w.event = e.name AND w.key = e.key AND w.after_position < e.position
  JOIN engine.run r ON r.id = w.run_id
  LEFT JOIN engine.job j ON j.run_id = w.run_id AND j.step = w.step
  ORDER BY e.position`,
});
