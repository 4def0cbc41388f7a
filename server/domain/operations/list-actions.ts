import { int8Number, jsonb, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { isId } from "../../lib/id";
import type { OperationsHub } from "./hub";

const columns = {
  id: uuid,
  created_at: timestamptz,
  action: text,
  target_kind: text,
  target_id: text,
  before: nullable(jsonb<Record<string, unknown>>()),
  after: nullable(jsonb<Record<string, unknown>>()),
  request_id: nullable(text),
  via: text,
  /** Null if it was erased. */
  operator: nullable(text),
  address: nullable(text),
  reason: nullable(text),
  details: nullable(jsonb<Record<string, unknown>>()),
};

/** Filters of the audit log. */
interface ActionFilters {
  action?: string;
  /** The person's e-mail address, or the name of the operating system's user. */
  operator?: string;
  /** The id of what was changed, e.g. of an account or a person. */
  target?: string;
}

/** Returns a page of the audit log, newest first; `next` is null on the last one. */
export async function listActions(
  hub: OperationsHub,
  { action, operator, target }: ActionFilters,
  { before, limit }: { before?: string; limit: number },
) {
  const cursor = before !== undefined && isId(before) ? before : null;
  const rows = await selectActions(hub.db, action ?? null, operator ?? null, target ?? null, cursor, limit + 1);
  const page = rows.slice(0, limit);
  return { data: page.map(serializeAction), next: rows.length > limit ? page.at(-1)!.id : null };
}

const serializeAction = ({ created_at, ...action }: RowOf<typeof columns>) => ({
  ...action,
  created_at: created_at.toISOString(),
});

const selectActions = statement({
  params: [nullable(text), nullable(text), nullable(text), nullable(uuid), int8Number],
  row: columns,
  text: `
    SELECT o.id, o.created_at, o.action, o.target_kind, o.target_id, o.before, o.after, o.request_id, o.via,
           t.operator, t.address, t.reason, t.details
    FROM operator_action o LEFT JOIN operator_action_text t ON t.action_id = o.id
    WHERE ($1::text IS NULL OR o.action = $1) AND ($2::text IS NULL OR t.operator = $2)
      AND ($3::text IS NULL OR o.target_id = $3) AND ($4::uuid IS NULL OR o.id < $4)
    ORDER BY o.id DESC LIMIT $5`,
});

/** Returns the names of the actions in the log, in alphabetical order. */
export const listActionNames = async (hub: OperationsHub): Promise<string[]> =>
  (await selectNames(hub.db)).map(({ action }) => action);

// Skips from name to name in the index, instead of reading every row.
const selectNames = statement({
  params: [],
  row: { action: text },
  text: `
    WITH RECURSIVE names AS (
      (SELECT action FROM operator_action ORDER BY action LIMIT 1)
      UNION ALL
      SELECT (SELECT o.action FROM operator_action o WHERE o.action > names.action ORDER BY o.action LIMIT 1)
      FROM names WHERE names.action IS NOT NULL
    )
    SELECT action FROM names WHERE action IS NOT NULL ORDER BY action`,
});
