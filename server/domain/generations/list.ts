import type { Ctx } from "../../context";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import type { Nano } from "../../lib/money";
import { type Generation, generationSql } from "./generation";
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
  /** Over the whole filtered listing, whatever the page. */
  total_billed: Nano;
}

/** One page, newest first, with the listing's total: one statement, whose cost does not grow with the history. */
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
  const after = cursor === undefined ? undefined : decodeCursor(ctx.secret, scope, cursor);
  const { text, values } = statement(ctx.account.id, filters, limit + 1, after);
  const rows = await ctx.db.query<Generation & { total_billed: Nano }>(text, values);
  const total_billed = rows[0]!.total_billed;
  // An empty page still brings its total, on a row without a generation.
  const found = rows.filter((row) => row.id !== null);
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(ctx.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor, total_billed };
}

function statement(accountId: number, filters: GenerationFilters, limit: number, after?: string) {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const shared: string[] = ["account_id = $1"];
  if (filters.exclude_llm) shared.push("NOT is_llm");
  if (filters.status !== undefined) shared.push(`status = ${bind(filters.status)}`);
  if (filters.model !== undefined) shared.push(`model = ${bind(filters.model)}`);
  // A range and an order by account keep the planner on the account's own index: for an account that has most of the
  // rows it would else read the newest of everybody, and throw them away.
  const where = ["account_id BETWEEN $1 AND $1", ...shared.slice(1)];
  if (filters.batch_id !== undefined) where.push(`batch_id = ${bind(filters.batch_id)}`);
  // Totals are kept for every filter but the batch, whose own rows are few.
  const total =
    filters.batch_id === undefined
      ? `SELECT coalesce(sum(billed), 0)::bigint AS total_billed FROM billing_total WHERE ${shared.join(" AND ")}`
      : `SELECT coalesce(sum(billed_cost), 0)::bigint AS total_billed FROM generation WHERE ${where.join(" AND ")}`;
  if (after !== undefined) where.push(`id < ${bind(after)}`);
  const text = `
    SELECT total.total_billed, page.* FROM (${total}) total LEFT JOIN LATERAL (
      SELECT ${generationSql} FROM generation g WHERE ${where.join(" AND ")} ORDER BY account_id, id DESC LIMIT ${bind(limit)}
    ) page ON true`;
  return { text, values };
}
