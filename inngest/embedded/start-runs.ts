import { createHash } from "node:crypto";
import type { Queryable } from "../../server/db/client";
import { array, int8Text, jsonText, timestamptz } from "../../server/db/column-types";
import { statement } from "../../server/db/statement";
import { newId } from "../../server/lib/id";
import { CRON_EVENT } from "./cron";
import { readScalar } from "./expression";
import { type FunctionConfig, parseOptionalCondition } from "./function-config";
import { createWaitKey } from "./wait-key";

/** An event that was sent and not yet dispatched. */
export interface QueuedEvent {
  position: string;
  body: { id: string; name: string; data: Record<string, unknown> };
}

/** A run that an event starts. */
export interface RunStart {
  /** The position of the event in the queue. */
  position: string;
  runId: string;
  functionId: string;
  concurrencyKey: string;
  maxConcurrency: number;
  cancels: { event: string; key: string; expression: string }[];
}

/** Returns the runs that an event starts. */
export const listStarts = (configs: Iterable<FunctionConfig>, event: QueuedEvent): RunStart[] =>
  [...configs].filter((config) => isTriggered(config, event.body)).map((config) => createStart(config, event));

function isTriggered({ events, crons }: FunctionConfig, { name, data }: QueuedEvent["body"]): boolean {
  return name === CRON_EVENT ? crons.some(({ expression }) => expression === data.cron) : events.includes(name);
}

function createStart({ id, concurrency, cancels }: FunctionConfig, { position, body }: QueuedEvent): RunStart {
  return {
    position,
    runId: newId(),
    functionId: id,
    concurrencyKey: concurrency.path ? shortenKey(readScalar(body, concurrency.path)) : "",
    maxConcurrency: concurrency.max,
    cancels: cancels.flatMap(({ event, expression }) => {
      const key = createWaitKey(parseOptionalCondition(expression), body);
      return key === null ? [] : [{ event, key, expression }];
    }),
  };
}

// Keys stay readable in the tables, but an index bounds their length.
function shortenKey(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length <= 100 ? text : createHash("sha256").update(text).digest("base64url");
}

/**
 * Removes events from the queue and starts their runs, in one statement. An event that another engine has removed
 * meanwhile starts nothing.
 */
export async function startRuns(db: Queryable, now: Date, events: QueuedEvent[], starts: RunStart[]): Promise<void> {
  const rows = starts.map(({ position, runId, functionId, concurrencyKey, maxConcurrency }) => ({
    position,
    run_id: runId,
    function_id: functionId,
    key: concurrencyKey,
    max_concurrency: maxConcurrency,
  }));
  const cancels = starts.flatMap(({ position, runId, cancels }) =>
    cancels.map((cancel) => ({ run_id: runId, after_position: position, ...cancel })),
  );
  const positions = events.map(({ position }) => position);
  await insertRuns(db, now, positions, JSON.stringify(rows), JSON.stringify(cancels));
}

const insertRuns = statement({
  params: [timestamptz, array(int8Text), jsonText, jsonText],
  row: {},
  text: `
  WITH event AS (
    DELETE FROM engine.event WHERE position = ANY ($2::bigint[]) RETURNING position, body
  ),
  start AS MATERIALIZED (
    SELECT s.*, event.body
    FROM json_to_recordset($3)
      AS s (position bigint, run_id uuid, function_id text, key text, max_concurrency integer)
    JOIN event USING (position)
  ),
  concurrency_group AS (
    INSERT INTO engine.concurrency_group AS existing (function_id, key, max_concurrency, runs, waiting)
    SELECT function_id, key, max(max_concurrency), count(*), count(*) FROM start GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (function_id, key) DO UPDATE
      SET max_concurrency = excluded.max_concurrency, runs = existing.runs + excluded.runs,
          waiting = existing.waiting + excluded.waiting
    RETURNING id, function_id, key
  ),
  run AS (
    INSERT INTO engine.run (id, function_id, concurrency_group_id, event, started_at)
    SELECT s.run_id, function_id, g.id, s.body, $1
    FROM start s JOIN concurrency_group g USING (function_id, key) ORDER BY s.run_id
    RETURNING id, concurrency_group_id
  ),
  job AS (
    INSERT INTO engine.job (run_id, concurrency_group_id, step, kind, state)
    SELECT id, concurrency_group_id, 'step', 'call', 'ready' FROM run
  )
  INSERT INTO engine.wait (run_id, after_position, event, key, expression)
  SELECT w.*
  FROM json_to_recordset($4) AS w (run_id uuid, after_position bigint, event text, key text, expression text)
  JOIN run ON run.id = w.run_id`,
});
