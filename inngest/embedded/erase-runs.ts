import type { Queryable } from "../../server/db/client";
import { array, uuid } from "../../server/db/column-types";
import { statement } from "../../server/db/statement";
import { isId } from "../../server/lib/id";

/**
 * Erases the results of runs that have ended and of their steps, except the names of errors, by which `listJobs`
 * recognizes runs whose generation failed. Ids of an Inngest server's runs are skipped.
 */
export const eraseRuns = (tx: Queryable, runIds: string[]): Promise<unknown> => updateRuns(tx, runIds.filter(isId));

const updateRuns = statement({
  params: [array(uuid)],
  row: {},
  text: `
    WITH ended AS (
      SELECT id FROM engine.run WHERE id = ANY ($1::uuid[]) AND status <> 'active' ORDER BY id FOR NO KEY UPDATE
    ),
    forgotten AS (DELETE FROM engine.step_result WHERE run_id IN (SELECT id FROM ended))
    UPDATE engine.run SET result = CASE WHEN status = 'failed' THEN json_build_object('name', result ->> 'name') END
    WHERE id IN (SELECT id FROM ended)`,
});
