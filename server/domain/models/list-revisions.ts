import { int4, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import type { ModelsHub } from "./hub";

const MAX_REVISIONS = 50;

/** Returns the newest revisions of the catalogue, with who applied each and why. */
export async function listRevisions(hub: ModelsHub) {
  const rows = await selectRevisions(hub.db);
  return rows.map(({ applied_at, ...revision }) => ({ ...revision, applied_at: applied_at.toISOString() }));
}

const selectRevisions = statement({
  params: [],
  row: { id: int4, applied_at: timestamptz, operator: nullable(text), reason: nullable(text) },
  text: `
    SELECT r.id, r.applied_at, t.operator, t.reason FROM catalogue_revision r
    LEFT JOIN operator_action o ON o.target_kind = 'catalogue-revision' AND o.target_id = r.id::text
    LEFT JOIN operator_action_text t ON t.action_id = o.id
    ORDER BY r.id DESC LIMIT ${MAX_REVISIONS}`,
});

/** Returns the YAML of a revision. Throws a 404 when there is none. */
export async function getRevision(hub: ModelsHub, id: number): Promise<string> {
  const [revision] = await selectRevision(hub.db, id);
  if (!revision) throw new AppError("resource_not_found", "There is no such revision.");
  return revision.source;
}

const selectRevision = statement({
  params: [int4],
  row: { source: text },
  text: "SELECT source FROM catalogue_revision WHERE id = $1",
});
