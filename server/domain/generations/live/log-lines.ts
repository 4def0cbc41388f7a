import type { HubParts } from "../../../context";
import { array, int4, int8, nullable, text, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { redactLine } from "../../../providers/http/redact";
import type { LogLine } from "../../../providers/job";
import type { LiveHub } from "./hub";
import { type ReportingAttempt, runningSql } from "./reporting-attempt";

/** Maximum number of stored lines of a generation; older ones are deleted. A new reader gets all of them. */
const MAX_KEPT_LINES = 100;
const MAX_LINES_PER_SECOND = 10;

/**
 * Stores the newest lines of a report, at most ten a second for each generation; if the provider returns the whole log each time,
 * only the lines after the last stored one. Returns whether there were any.
 */
export async function addLines(
  hub: LiveHub,
  { generationId, attempt, runId }: ReportingAttempt,
  lines: LogLine[],
): Promise<boolean> {
  const clean = lines
    .slice(-MAX_LINES_PER_SECOND)
    .map(({ text: line, end = null }) => ({ line: redactLine(line), end }))
    .filter(({ line }) => line !== "");
  const added = await insertLines(hub.db, {
    id: generationId,
    attempt,
    run_id: runId,
    now: hub.now(),
    lines: clean.map(({ line }) => line),
    ends: clean.map(({ end }) => end),
  });
  return added.length > 0;
}

const insertLines = statement({
  params: {
    id: uuid,
    attempt: int4,
    run_id: nullable(text),
    now: timestamptz,
    lines: array(text),
    ends: array(nullable(int4)),
  },
  row: { n: int8 },
  text: `
    WITH ${runningSql},
    stored AS (
      SELECT count(*) FILTER (WHERE at > :now::timestamptz - interval '1 second' AND at <= :now) AS recent,
             coalesce(max(position) FILTER (WHERE attempt = :attempt), -1) AS position
      FROM generation_log WHERE generation_id = :id
    ),
    reported AS (
      SELECT line, item.position, ordinal, row_number() OVER (ORDER BY ordinal DESC) + stored.recent AS rank
      FROM unnest(:lines::text[], :ends::int[]) WITH ORDINALITY AS item (line, position, ordinal), stored
      WHERE item.position IS NULL OR item.position > stored.position
    ),
    removed AS (
      DELETE FROM generation_log WHERE generation_id = :id AND n <= (
        SELECT n FROM generation_log WHERE generation_id = :id
        ORDER BY n DESC OFFSET ${MAX_KEPT_LINES - MAX_LINES_PER_SECOND} LIMIT 1)
    )
    INSERT INTO generation_log (generation_id, at, line, attempt, position)
    SELECT running.id, :now, reported.line, :attempt, reported.position FROM running, reported
    WHERE rank <= ${MAX_LINES_PER_SECOND} ORDER BY ordinal
    RETURNING n`,
});

const lineColumns = { generation_id: uuid, n: int8, at: timestamptz, line: text };

/** A stored line. The numbers of a generation's lines grow. */
type StoredLine = RowOf<typeof lineColumns>;

/** Returns the lines of each of these generations after a number, oldest first. */
export const listLogLines = (
  { db }: Pick<HubParts, "db">,
  wanted: { id: string; after: bigint }[],
): Promise<StoredLine[]> =>
  selectLines(
    db,
    wanted.map(({ id }) => id),
    wanted.map(({ after }) => after),
  );

const selectLines = statement({
  params: [array(uuid), array(int8)],
  row: lineColumns,
  text: `
    SELECT l.generation_id, l.n, l.at, l.line FROM unnest($1::uuid[], $2::bigint[]) AS wanted (id, after)
    CROSS JOIN LATERAL (
      SELECT * FROM generation_log WHERE generation_id = wanted.id AND n > wanted.after ORDER BY n LIMIT ${MAX_KEPT_LINES}
    ) l
    ORDER BY l.n`,
});
