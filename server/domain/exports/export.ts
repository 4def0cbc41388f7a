import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { bool, int4, int8, jsonb, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId, newId } from "../../lib/id";
import { operate, type Operator } from "../operator-actions";
import type { ExportsHub } from "./hub";
import { firstPosition, type Position } from "./position";

const MAX_PER_DAY = 3;
const DAY_MS = 86_400_000;
/** How long an archive can be downloaded. */
export const EXPORT_TTL_MS = DAY_MS;

const exportColumns = {
  id: uuid,
  state: textOf<"running" | "ready" | "failed" | "deleted">(),
  created_at: timestamptz,
  ended_at: nullable(timestamptz),
  expires_at: nullable(timestamptz),
  removed_at: nullable(timestamptz),
  size: int8,
  entries: int8,
  missing: int8,
  done: int8,
  /** Null until the rows and files of the account are counted. */
  total: nullable(int8),
  error: nullable(text),
};

/** An export of an account, without the columns that only making it needs. */
export type Export = RowOf<typeof exportColumns>;

/** Returns an export for the console. */
export function serializeExport(row: Export, now: Date) {
  const isExpired = row.removed_at !== null || (row.expires_at !== null && row.expires_at <= now);
  return {
    id: row.id,
    state: row.state === "ready" && isExpired ? ("expired" as const) : row.state,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    /** In bytes, of what is stored so far. */
    size: Number(row.size),
    files: Number(row.entries),
    missing_files: Number(row.missing),
    /** From 0 to 1. */
    progress: row.total === null ? 0 : Math.min(Number(row.done) / Math.max(Number(row.total), 1), 1),
    error: row.error,
  };
}

/** Returns the newest export that the account's owners asked for and have not deleted; null without one. */
export async function findNewestExport({ hub, account }: Ctx<ExportsHub>): Promise<Export | null> {
  return (await selectNewest(hub.db, account.id))[0] ?? null;
}

const selectNewest = statement({
  params: [int4],
  row: exportColumns,
  text: `
    SELECT ${columnList(exportColumns, "e")} FROM account_export e
    WHERE e.account_id = $1 AND NOT e.by_operator ORDER BY e.id DESC LIMIT 1`,
});

/** Returns an export of the account. Throws a 404 if there is none with this id. */
export async function getExport({ hub, account }: Ctx<ExportsHub>, id: string): Promise<Export> {
  const [found] = isId(id) ? await selectExport(hub.db, account.id, id) : [];
  if (!found) throw exportNotFoundError();
  return found;
}

const selectExport = statement({
  params: [int4, uuid],
  row: exportColumns,
  text: `SELECT ${columnList(exportColumns, "e")} FROM account_export e WHERE e.account_id = $1 AND e.id = $2`,
});

const exportNotFoundError = () => new AppError("resource_not_found", "There is no such export.");

/**
 * Starts an export of the account's data. Throws a 409 while one is running, and a 429 after three exports within 24
 * hours.
 */
export async function startExport({ hub, account }: Ctx<ExportsHub>): Promise<Export> {
  const [started] = await insertExport(hub.db, exportValues(hub, account.id, false));
  if (started) return started;
  if ((await selectRunning(hub.db, account.id)).length > 0) throw runningError();
  throw new AppError("rate_limited", `You can export your data ${MAX_PER_DAY} times within 24 hours. Try again later.`);
}

const selectRunning = statement({
  params: [int4],
  row: { id: uuid },
  text: "SELECT id FROM account_export WHERE account_id = $1 AND state = 'running'",
});

const runningError = () => new AppError("invalid_state", "An export of this account is running already.");

/** Starts an export for an operator, recorded in the audit log. Throws a 409 while one is running. */
export async function startExportByOperator(
  hub: ExportsHub,
  operator: Operator,
  { accountId, reason }: { accountId: number; reason?: string },
): Promise<string> {
  const target = { kind: "account", id: String(accountId) };
  const id = await operate(hub, operator, { action: "account.export", target, reason }, async (tx) => {
    const [started] = await insertExport(tx, exportValues(hub, accountId, true));
    return started ? { before: null, after: { export: started.id }, result: started.id } : null;
  });
  if (id === null) throw runningError();
  return id;
}

const exportValues = (hub: ExportsHub, account: number, byOperator: boolean) => ({
  id: newId(),
  account,
  by_operator: byOperator,
  now: hub.now(),
  since: new Date(hub.now().getTime() - DAY_MS),
  position: firstPosition,
});

// Only one export of an account can run, so no concurrent request is missing in the count.
const insertExport = statement({
  params: {
    id: uuid,
    account: int4,
    by_operator: bool,
    now: timestamptz,
    since: timestamptz,
    position: jsonb<Position>(),
  },
  row: exportColumns,
  text: `
    INSERT INTO account_export AS e (id, account_id, by_operator, state, created_at, position, unreadable, next_attempt_at)
    SELECT :id, :account, :by_operator, 'running', :now, :position, '{}', :now
    WHERE :by_operator OR (
      SELECT count(*) FROM account_export recent
      WHERE recent.account_id = :account AND NOT recent.by_operator AND recent.created_at > :since
    ) < ${MAX_PER_DAY}
    ON CONFLICT (account_id) WHERE state = 'running' DO NOTHING
    RETURNING ${columnList(exportColumns, "e")}`,
});

/** Deletes an export of the account; one that is running ends. Its content is removed soon. Throws a 404 for any other id. */
export async function deleteExport({ hub, account }: Ctx<ExportsHub>, id: string): Promise<void> {
  const [deleted] = isId(id) ? await updateDeleted(hub.db, account.id, id, hub.now()) : [];
  if (!deleted) throw exportNotFoundError();
}

const updateDeleted = statement({
  params: [int4, uuid, timestamptz],
  row: { id: uuid },
  text: `
    UPDATE account_export SET state = 'deleted', error = NULL, ended_at = coalesce(ended_at, $3), expires_at = $3
    WHERE account_id = $1 AND id = $2 AND state <> 'deleted' RETURNING id`,
});

const partColumns = { key: uuid, start: notNull(int8), size: notNull(int8), stored_size: notNull(int8) };

/** A stored part of an archive. */
export type Part = RowOf<typeof partColumns>;

/**
 * Returns up to 500 parts of an export that end after this position in its archive, in their order. A part is empty if
 * none of its files could be read.
 */
export const listParts = (db: Queryable, exportId: string, position: bigint): Promise<Part[]> =>
  selectParts(db, exportId, position);

const selectParts = statement({
  params: [uuid, int8],
  row: partColumns,
  text: `
    SELECT key, start, size, stored_size FROM account_export_part
    WHERE export_id = $1 AND size > 0 AND start + size > $2 ORDER BY n LIMIT 500`,
});
