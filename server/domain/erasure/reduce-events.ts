import type { Queryable } from "../../db/client";
import { array, bool, int8, jsonb, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { parseSnapshot, serializeGeneration, type Snapshot } from "../generations/read";
import { ERASED_MESSAGE } from "../../errors";
import type { ErasureHub } from "./hub";

/**
 * SQL for the record or the snapshot `json` without labels, and without content, erased at `:now`, unless `:keeps_content`; its
 * outputs stay if `:keeps_outputs`.
 */
const reducedSql = (json: string) => `(
  ${json}::jsonb || '{"metadata": {}, "end_user": null}'
  || CASE WHEN :keeps_content THEN '{}' ELSE jsonb_build_object('input', '{}'::jsonb, 'missing', '[]'::jsonb,
       'erased_at', to_char(:now::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END
  || CASE WHEN :keeps_outputs THEN '{}' ELSE '{"outputs": []}' END::jsonb
  || CASE WHEN NOT :keeps_content AND jsonb_typeof(${json}::jsonb -> 'error') = 'object'
       THEN jsonb_build_object('error', ${json}::jsonb -> 'error' || '{"message": "${ERASED_MESSAGE}"}')
       ELSE '{}' END)`;

const shared = { ids: array(uuid), now: timestamptz, keeps_content: bool, keeps_outputs: bool };

const selectUnrendered = statement({
  params: shared,
  row: { n: int8, snapshot: jsonb<Snapshot>() },
  text: `
    SELECT n, ${reducedSql("snapshot")} AS snapshot FROM event
    WHERE generation_id = ANY (:ids::uuid[]) AND data IS NULL ORDER BY n FOR NO KEY UPDATE`,
});

// The current value is reduced again, because a process may have rendered it since it was selected.
const updateEvents = statement({
  params: { ...shared, numbers: array(int8), texts: array(text) },
  row: {},
  text: `
    WITH forgotten_answer AS (
      -- What receivers of webhooks have answered, which may quote what they received.
      UPDATE delivery_attempt a SET response = NULL FROM event e JOIN delivery d ON d.event_n = e.n
      WHERE e.generation_id = ANY (:ids::uuid[]) AND a.delivery_id = d.id AND a.response IS NOT NULL
    )
    UPDATE event SET data = coalesce(${reducedSql("event.data")}::text, rendered.data), snapshot = NULL
    FROM event stored LEFT JOIN unnest(:numbers::bigint[], :texts::text[]) AS rendered (n, data) ON rendered.n = stored.n
    WHERE stored.generation_id = ANY (:ids::uuid[]) AND event.n = stored.n`,
});

interface Target {
  ids: string[];
  now: Date;
  /** Whether only labels are removed. */
  keeps_content: boolean;
  keeps_outputs: boolean;
}

/**
 * Removes labels and content from the events of these generations, so that webhooks that are sent from now on have none, and
 * removes the receivers' answers. Events are rendered first, because a process that has read a snapshot stores its text only
 * where there is none.
 */
export async function reduceEvents(hub: ErasureHub, tx: Queryable, target: Target): Promise<void> {
  const events = await selectUnrendered(tx, target);
  await updateEvents(tx, {
    ...target,
    numbers: events.map(({ n }) => n),
    texts: events.map(({ snapshot }) => JSON.stringify(serializeGeneration(hub, parseSnapshot(snapshot)))),
  });
}
