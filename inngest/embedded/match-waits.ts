import type { Queryable } from "../../server/db/client";
import { holds } from "./expression";
import type { Outcome } from "./outcome";
import { condition } from "./function-config";
import type { QueuedEvent } from "./route-event";
import { keysOf } from "./wait-key";

interface Candidate {
  n: string;
  run_id: string;
  /** Null when the event would cancel the run. */
  step: string | null;
  job_id: string | null;
  expression: string;
  event: object;
}

/** What letters mean to runs that wait for them, the first of each wait. */
export async function matchWaits(on: Queryable, now: Date, letters: QueuedEvent[]): Promise<Outcome[]> {
  const keys = letters.flatMap(({ n, body }) => keysOf(body).map((key) => ({ n, name: body.name, key })));
  const candidates = await on.query<Candidate>(statement, [
    keys.map(({ n }) => n),
    keys.map(({ name }) => name),
    keys.map(({ key }) => key),
    now,
  ]);
  const bodies = new Map(letters.map(({ n, body }) => [n, body]));
  const hits = new Map<string, Outcome>();
  for (const { n, run_id, step, job_id, expression, event } of candidates) {
    const wait = `${run_id} ${step}`;
    const body = bodies.get(n)!;
    if (hits.has(wait) || !holds(condition(expression), { event, async: body })) continue;
    if (step === null) hits.set(wait, canceled(run_id));
    else if (job_id !== null) {
      const memo = { step, value: JSON.stringify(body), failed: false };
      hits.set(wait, { run: run_id, job: job_id, from: "later", memo });
    }
  }
  return [...hits.values()];
}

const canceled = (run: string): Outcome => ({
  run,
  job: null,
  from: null,
  end: { status: "canceled", result: "null" },
});

const statement = `
  SELECT l.n, w.run_id, w.step, j.id AS job_id, w.expression, r.event
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS l (n, name, key)
  JOIN engine.wait w ON w.event = l.name AND w.key = l.key AND w.after < l.n AND (w.until IS NULL OR w.until > $4)
  JOIN engine.run r ON r.id = w.run_id
  LEFT JOIN engine.job j ON j.run_id = w.run_id AND j.step = w.step
  ORDER BY l.n`;
