import { applyCatalogue } from "../../catalogue/apply";
import { findNewestRevision, lockRevisions } from "../../catalogue/newest-revision";
import { int4, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { operate, type Operator } from "../operator-actions";
import type { ModelsHub } from "./hub";
import { rejectNewUpstreams } from "./reject-new-upstreams";

interface RevisionRequest {
  /** YAML. */
  source: string;
  /** The name of the text in messages about issues. */
  file: string;
  /** The revision that the text is based on; without it, whatever is applied is replaced. */
  base?: number | null;
  /** The older revision whose text it is. */
  restored?: number;
  reason?: string | null;
}

/**
 * Applies a catalogue on behalf of an operator, in all running hubs, and returns the number of its revision. Throws
 * CatalogueError for one that is invalid or does not fit the applied price books, a 409 when another was applied since `base`,
 * and a 403 for an operator's token that names a new upstream.
 */
export async function applyRevision(hub: ModelsHub, operator: Operator, request: RevisionRequest): Promise<number> {
  const { source, file, base, restored, reason } = request;
  const action = restored === undefined ? "catalogue.apply" : "catalogue.roll-back";
  const target = { kind: "catalogue-revision", id: "" };
  const revision = await operate(hub, operator, { action, target, reason }, async (tx) => {
    await lockRevisions(tx);
    const applied = await findNewestRevision(tx);
    const before = applied?.id ?? null;
    if (base !== undefined && base !== before)
      throw new AppError(
        "invalid_state",
        "Another catalogue was applied meanwhile. Load it and make your change again.",
      );
    const id = await applyCatalogue(tx, source, { now: hub.now(), env: hub.env, file });
    if (operator.tokenId !== undefined) await rejectNewUpstreams(hub, applied?.source ?? null, source);
    return {
      before: { revision: before },
      after: { revision: id, ...(restored !== undefined && { restored }) },
      target: { kind: "catalogue-revision", id: String(id) },
      result: id,
    };
  });
  return revision!;
}

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
