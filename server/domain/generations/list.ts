import type { Ctx } from "../../context";
import { int4, int8, int8Number, text, uuid } from "../../db/column-types";
import { type Bind, combine, composedStatement } from "../../db/statement";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import type { Nano } from "../../lib/money";
import { type Generation, generationColumns, generationSql } from "./generation";
import type { Status } from "./transitions";

export interface GenerationFilters {
  exclude_llm?: boolean;
  status?: Status;
  model?: string;
  batch_id?: string;
}

export interface GenerationPage {
  data: Generation[];
  next_cursor: string | null;
  /** The total of all generations that match the filters, not only of this page. */
  total_billed: Nano;
}

/**
 * Returns a page of generations, newest first, and the total, in one statement whose cost does not grow with the
 * history.
 */
export async function listStoredGenerations(
  ctx: Ctx,
  { limit, cursor, ...filters }: GenerationFilters & { limit: number; cursor?: string },
): Promise<GenerationPage> {
  const scope = JSON.stringify([
    ctx.account.id,
    filters.exclude_llm ?? false,
    filters.status,
    filters.model,
    filters.batch_id,
  ]);
  const after = cursor === undefined ? undefined : decodeCursor(ctx.hub.secret, scope, cursor);
  const rows = await selectPage(ctx.hub.db, { ...filters, accountId: ctx.account.id, limit: limit + 1, after });
  const total_billed = rows[0]!.total_billed;
  // An empty page is one row with the total and without a generation.
  const found = rows.filter((row) => row.id !== null);
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(ctx.hub.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor, total_billed };
}

/** An id for declaring statements. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

interface PageQuery extends GenerationFilters {
  accountId: number;
  limit: number;
  after?: string;
}

function composePageSql({ accountId, limit, after, ...filters }: PageQuery, bind: Bind): string {
  bind(int4, accountId);
  const baseConditions: string[] = ["account_id = $1"];
  if (filters.exclude_llm) baseConditions.push("NOT is_llm");
  if (filters.status !== undefined) baseConditions.push(`status = ${bind(text, filters.status)}`);
  if (filters.model !== undefined) baseConditions.push(`model = ${bind(text, filters.model)}`);
  // The range and the order by account make the planner use the account's own index. For an account with most of the
  // rows it would otherwise read the newest rows of all accounts and discard those of others.
  const where = ["account_id BETWEEN $1 AND $1", ...baseConditions.slice(1)];
  if (filters.batch_id !== undefined) where.push(`batch_id = ${bind(uuid, filters.batch_id)}`);
  // `billing_total` has no batches, but a batch has few rows to sum.
  const total =
    filters.batch_id === undefined
      ? `SELECT coalesce(sum(billed), 0)::bigint AS total_billed FROM billing_total WHERE ${baseConditions.join(" AND ")}`
      : `SELECT coalesce(sum(billed_cost), 0)::bigint AS total_billed FROM generation WHERE ${where.join(" AND ")}`;
  if (after !== undefined) where.push(`id < ${bind(uuid, after)}`);
  return `
    SELECT total.total_billed, page.* FROM (${total}) total LEFT JOIN LATERAL (
      SELECT ${generationSql} FROM generation g WHERE ${where.join(" AND ")} ORDER BY account_id, id DESC LIMIT ${bind(int8Number, limit)}
    ) page ON true`;
}

// The row of an empty page has the total alone.
const selectPage = composedStatement({
  row: { ...generationColumns, total_billed: int8 },
  forms: combine<PageQuery>({
    accountId: [1],
    exclude_llm: [false, true],
    status: [undefined, "queued"],
    model: [undefined, "model"],
    batch_id: [undefined, NO_ID],
    after: [undefined, NO_ID],
    limit: [1],
  }),
  compose: composePageSql,
});
