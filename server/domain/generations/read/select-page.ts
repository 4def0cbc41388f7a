import { array, bool, int4, int8, int8Number, text, timestamptz, uuid } from "../../../db/column-types";
import { type Bind, combine, composedStatement } from "../../../db/statement";
import { lowestIdAt, NIL_ID } from "../../../lib/id";
import type { Nano } from "../../../lib/money";
import { visibleColumns, visibleSql } from "../row/sql";
import type { Search } from "../search";
import { composeHitsSql, composeNewestSql, inAccountSql } from "../search/sql";
import type { Status } from "../row";

/** Filters of the list of generations; `from` is inclusive, `until` exclusive. */
export interface PageFilters {
  exclude_llm?: boolean;
  status?: Status;
  model?: string;
  /** Models, one of which is the generation's. */
  models?: string[];
  batch_id?: string;
  /** The id of an API key. */
  key?: string;
  from?: Date;
  until?: Date;
  end_user?: string;
  /** Batches whose generations are left out; they count in the total all the same. */
  outside?: string[];
}

export interface Total {
  total_billed: Nano;
  /** Whether it covers only the newest generations that match a search, a time range or an end user. */
  total_is_partial: boolean;
}

interface PageQuery extends PageFilters {
  accountId: number;
  search?: Search;
  limit: number;
  /** The last id of the page before. */
  after?: string;
  /** The total of the page before, so that it is not summed again. */
  carried?: Total;
}

/** How many generations of a time range or an end user are summed. */
const MAX_SUMMED = 10_000;
/** How many are summed at least, however many models they may have. */
const MIN_SUMMED = 1_000;

// An id is made a moment after `created_at` is read, and may be ahead of it after the clock was set back.
const ID_MARGIN_MS = 10 * 60_000;
const idNear = (time: Date, marginMs: number) => lowestIdAt(new Date(time.getTime() + marginMs));

/** Returns the conditions by which `billing_total` is kept. */
function composeTotalledConditions(
  { exclude_llm, status, model, key }: Omit<PageFilters, "models">,
  bind: Bind,
): string[] {
  const conditions: string[] = [];
  if (exclude_llm) conditions.push("NOT is_llm");
  if (status !== undefined) conditions.push(`status = ${bind(text, status)}`);
  if (model !== undefined) conditions.push(`model = ${bind(text, model)}`);
  if (key !== undefined) conditions.push(`key_id = ${bind(uuid, key)}`);
  return conditions;
}

function composeOtherConditions({ batch_id, from, until, end_user }: PageFilters, bind: Bind): string[] {
  const conditions: string[] = [];
  if (batch_id !== undefined) conditions.push(`batch_id = ${bind(uuid, batch_id)}`);
  if (end_user !== undefined) conditions.push(`end_user = ${bind(text, end_user)}`);
  return [...conditions, ...composeRangeConditions({ from, until }, bind)];
}

/**
 * Returns the conditions for a range of time, of a table whose ids sort by `created_at`. Postgres expects few rows in a range of
 * ids, whatever its ends are, and would then read the ids of all accounts. It sees no range where one end is an array, and reads
 * the account's own index.
 */
export function composeRangeConditions({ from, until }: Pick<PageFilters, "from" | "until">, bind: Bind): string[] {
  const conditions: string[] = [];
  if (from) conditions.push(`created_at >= ${bind(timestamptz, from)}`, `id >= ${bind(uuid, idNear(from, -ID_MARGIN_MS))}`); // prettier-ignore
  if (until) {
    conditions.push(`created_at < ANY (${bind(array(timestamptz), [until])}::timestamptz[])`);
    conditions.push(`id < ANY (${bind(array(uuid), [idNear(until, ID_MARGIN_MS)])}::uuid[])`);
  }
  return conditions;
}

const sumSql = (isPartial: string, source: string) =>
  `SELECT coalesce(sum(billed_cost), 0)::bigint AS total_billed, ${isPartial} AS total_is_partial FROM ${source}`;

const composeCarriedSql = ({ total_billed, total_is_partial }: Total, bind: Bind) =>
  `SELECT ${bind(int8, total_billed)}::bigint AS total_billed, ${bind(bool, total_is_partial)}::boolean AS total_is_partial`;

/** The parts of a page's SQL. Of the placeholders, `models` is that of the models whose newest are merged. */
interface Parts {
  account: string;
  limit: string;
  models: string | undefined;
  /** The conditions by which `billing_total` is kept. */
  totalled: string[];
  others: string[];
  /** The conditions on the rows of the page. */
  where: string;
}

/** Returns SQL for the total of all that match the conditions. */
function composeTotalSql(query: PageFilters, parts: Parts, bind: Bind): string {
  const { account, totalled, others, models } = parts;
  if (others.length === 0) return composeKeptTotalSql(parts);
  const where = [inAccountSql(account), ...totalled, ...others].join(" AND ");
  // A batch has few rows to sum.
  if (!query.from && !query.until && query.end_user === undefined)
    return sumSql("false", `generation WHERE ${[where, ...isOneOf(models)].join(" AND ")}`);
  return models
    ? composeMergedTotalSql(where, { models, count: query.models!.length }, bind)
    : composeNewestTotalSql(where, String(MAX_SUMMED));
}

/** Returns SQL for the total in `billing_total`, which is kept by all conditions except `others`. */
function composeKeptTotalSql({ account, totalled, models }: Parts): string {
  const where = [`account_id = ${account}`, ...totalled, ...isOneOf(models)].join(" AND ");
  return `SELECT coalesce(sum(billed), 0)::bigint AS total_billed, false AS total_is_partial FROM billing_total WHERE ${where}`;
}

const composeNewestTotalSql = (where: string, max: string, models?: string) =>
  sumSql(`count(*) > ${max}`, `(${composeNewestSql(where, `${max} + 1`, models)}) newest`);

/** Returns SQL for the total of several models. Merging reads the maximum of each model, so the maximum is lower. */
function composeMergedTotalSql(
  where: string,
  { models, count }: { models: string; count: number },
  bind: Bind,
): string {
  const max = Math.max(MIN_SUMMED, Math.floor(MAX_SUMMED / (count || 1)));
  return composeNewestTotalSql(where, `${bind(int8Number, max)}::bigint`, models);
}

/**
 * Returns the filter by several models: conditions, or the placeholder of the models whose newest are merged. In most statuses
 * an account has few generations, which the index by status finds; the others are read in the order of each model.
 */
function composeModels({ models, status }: PageFilters, bind: Bind): { conditions: string[]; merged?: string } {
  if (models === undefined) return { conditions: [] };
  const names = bind(array(text), models);
  return status === undefined || status === "succeeded"
    ? { conditions: [], merged: names }
    : { conditions: isOneOf(names) };
}

const isOneOf = (models: string | undefined): string[] =>
  models === undefined ? [] : [`model = ANY (${models}::text[])`];

function composePageSql(query: PageQuery, bind: Bind): string {
  const account = bind(int4, query.accountId);
  const limit = bind(int8Number, query.limit);
  const { conditions, merged: models } = composeModels(query, bind);
  const totalled = [...composeTotalledConditions(query, bind), ...conditions];
  const others = composeOtherConditions(query, bind);
  const position = query.after === undefined ? [] : [`id < ${bind(uuid, query.after)}`];
  if (query.outside?.length)
    position.push(`(batch_id IS NULL OR batch_id <> ALL (${bind(array(uuid), query.outside)}::uuid[]))`);
  const where = [inAccountSql(account), ...totalled, ...others, ...position].join(" AND ");
  const parts = { account, limit, models, totalled, others, where };
  return query.search ? composeSearchSql(query.search, query, parts, bind) : composeListSql(query, parts, bind);
}

/** Returns SQL for a page of what a search finds, whose total is that of the hits. */
function composeSearchSql(search: Search, { carried }: PageQuery, parts: Parts, bind: Bind): string {
  const { ctes, isPartial } = composeHitsSql(search, parts.where, parts, bind);
  const total = carried ? composeCarriedSql(carried, bind) : sumSql(isPartial, "hit");
  const page = foundSql(`SELECT id FROM hit ORDER BY id DESC LIMIT ${parts.limit}`);
  return `WITH ${ctes} ${selectSql(total, page)}`;
}

/** Returns SQL for a page of the list. */
function composeListSql(query: PageQuery, parts: Parts, bind: Bind): string {
  const total = query.carried ? composeCarriedSql(query.carried, bind) : composeTotalSql(query, parts, bind);
  return selectSql(total, parts.models ? mergedPageSql(parts) : ownPageSql(parts));
}

/** SQL for a page in the order of the account's own index. */
const ownPageSql = ({ where, limit }: Parts) =>
  `generation g WHERE ${where} ORDER BY account_id, id DESC LIMIT ${limit}`;

/** SQL for a page that is merged from the newest of each model. */
const mergedPageSql = ({ where, limit, models }: Parts) => foundSql(composeNewestSql(where, limit, models));

const foundSql = (ids: string) => `(${ids}) found JOIN generation g ON g.id = found.id ORDER BY g.id DESC`;

const selectSql = (total: string, page: string) => `
    SELECT total.*, page.* FROM (${total}) total LEFT JOIN LATERAL (SELECT ${visibleSql} FROM ${page}) page ON true`;

/** Example values of the filters, with which the statements are declared. */
const noFilters = { exclude_llm: [undefined], status: [undefined], model: [undefined], batch_id: [undefined] };
const noRange = { key: [undefined], from: [undefined], until: [undefined], end_user: [undefined] };
const noSearch = { search: [undefined], carried: [undefined] };
const page = { accountId: [1], limit: [1], after: [undefined, NIL_ID], outside: [undefined] };
const carried = { total_billed: 0n, total_is_partial: false };

// The row of an empty page has only the total. Conditions are independent of each other, so not every combination of
// the later filters is declared.
export const selectPage = composedStatement({
  row: { ...visibleColumns, total_billed: int8, total_is_partial: bool },
  forms: [
    ...combine<PageQuery>({
      ...page,
      ...noRange,
      ...noSearch,
      models: [undefined, ["model"]],
      exclude_llm: [false, true],
      status: [undefined, "queued", "succeeded"],
      model: [undefined, "model"],
      batch_id: [undefined, NIL_ID],
    }),
    ...combine<PageQuery>({ ...page, ...noRange, ...noSearch, ...noFilters, models: [undefined], outside: [[NIL_ID]] }),
    ...combine<PageQuery>({
      ...page,
      ...noFilters,
      models: [undefined, ["model"]],
      key: [undefined, NIL_ID],
      from: [undefined, new Date(0)],
      until: [undefined, new Date(0)],
      end_user: [undefined, "user"],
      search: [
        undefined,
        { id: NIL_ID },
        { id: NIL_ID, metadata: { team: "blue" } },
        { words: "'1:word':*", hasPairs: false },
        { words: "'1=hash:@':*", hasPairs: true },
      ],
      carried: [undefined, carried],
    }),
  ],
  compose: composePageSql,
});
