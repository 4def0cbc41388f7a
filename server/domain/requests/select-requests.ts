import {
  bool,
  int4,
  int8,
  int8Number,
  json,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
} from "../../db/column-types";
import { type Bind, combine, composedStatement, type RowOf } from "../../db/statement";
import type { ErrorCode } from "../../errors";
import { composeRangeConditions } from "../generations/read/sql";
import type { Failure, Status } from "../generations/row";
import { inAccountSql } from "../generations/search/sql";
import type { KeyScope } from "../keys";
import { composeDroppedSql } from "../rejections/sql";
import type { TokenClasses } from "../tokens";
import { NIL_ID } from "../../lib/id";

/** An attempt at a provider, as its generation is listed with it. */
interface TimedAttempt {
  route: string;
  started_at: string;
  ended_at: string | null;
  first_token_ms: number | null;
}

/** The columns of a generation; all are null for a rejected request. */
const generationColumns = {
  model: nullable(text),
  is_llm: nullable(bool),
  generation_status: nullable(textOf<Status>()),
  provider: nullable(text),
  error: nullable(jsonb<Failure>()),
  estimated_cost: nullable(int8),
  billed_cost: nullable(int8),
  started_at: nullable(timestamptz),
  completed_at: nullable(timestamptz),
  erased_at: nullable(timestamptz),
  input_tokens: nullable(int4),
  output_tokens: nullable(int4),
  token_classes: nullable(jsonb<TokenClasses>()),
  attempts: nullable(json<TimedAttempt[]>()),
};

/** The columns of a rejected request; all are null for a generation. */
const rejectedColumns = {
  request_id: nullable(text),
  method: nullable(text),
  path: nullable(text),
  status: nullable(int4),
  code: nullable(textOf<ErrorCode>()),
  message: nullable(text),
  /** The generation that it had made before it failed. */
  generation_id: nullable(uuid),
};

const columns = {
  id: uuid,
  created_at: timestamptz,
  key_id: nullable(uuid),
  key_name: nullable(text),
  key_scope: nullable(textOf<KeyScope>()),
  ...generationColumns,
  ...rejectedColumns,
};

/** A row of the list: a generation, or a rejected request, which has no model. */
export type FoundRequest = RowOf<typeof columns>;

interface Query {
  accountId: number;
  show: "generations" | "rejected" | undefined;
  key: string | undefined;
  code: ErrorCode | undefined;
  request_id: string | undefined;
  from: Date | undefined;
  until: Date | undefined;
  /** The id that precedes the page. */
  before: string | undefined;
  limit: number;
}

// The ids of both tables sort by time. They are merged first, because indexes have them in this order.
function composeSql({ accountId, show, key, code, request_id, from, until, before, limit }: Query, bind: Bind): string {
  const account = bind(int4, accountId);
  const count = bind(int8Number, limit);
  const where = [inAccountSql(account), ...composeRangeConditions({ from, until }, bind)];
  if (key !== undefined) where.push(`key_id = ${bind(uuid, key)}`);
  if (before !== undefined) where.push(`id < ${bind(uuid, before)}`);
  const rejected = [...where];
  if (code !== undefined) rejected.push(`code = ${bind(text, code)}`);
  // A failed generation is in the list itself, but the id of its request finds only its rejection.
  rejected.push(request_id === undefined ? "generation_id IS NULL" : `request_id = ${bind(text, request_id)}`);
  const newest = (table: string, conditions: string[], order: string) =>
    `(SELECT id FROM ${table} WHERE ${conditions.join(" AND ")} ORDER BY ${order} LIMIT ${count})`;
  const sources = [
    ...(show === "rejected" ? [] : [newest("generation", where, "account_id, id DESC")]),
    ...(show === "generations" ? [] : [newest("rejected_request", rejected, "account_id DESC, id DESC")]),
  ];
  const dropped = show === "generations" ? "SELECT 0 AS dropped" : composeDroppedSql(account, { from, until }, bind);
  return `
    SELECT counted.dropped, page.* FROM (${dropped}) counted LEFT JOIN LATERAL (
      SELECT found.id, coalesce(g.created_at, r.created_at) AS created_at, k.id AS key_id, k.name AS key_name, k.scope AS key_scope,
             g.model, g.is_llm, g.status AS generation_status, g.provider, g.error, g.estimated_cost, g.billed_cost, g.started_at,
             g.completed_at, g.erased_at, g.input_tokens, g.output_tokens, g.token_classes, ${attemptsSql} AS attempts,
             r.request_id, r.method, r.path, r.status, r.code, r.message, r.generation_id
      FROM (SELECT id FROM (${sources.join(" UNION ALL ")}) newest ORDER BY id DESC LIMIT ${count}) found
      LEFT JOIN LATERAL (SELECT * FROM generation WHERE id = found.id LIMIT 1) g ON true
      LEFT JOIN LATERAL (SELECT * FROM rejected_request WHERE id = found.id LIMIT 1) r ON true
      LEFT JOIN LATERAL (SELECT * FROM api_key WHERE id = coalesce(g.key_id, r.key_id) LIMIT 1) k ON true
      ORDER BY found.id DESC
    ) page ON true`;
}

const attemptsSql = `(
               SELECT json_agg(json_build_object('route', a.route, 'started_at', a.started_at, 'ended_at', a.ended_at,
                                                 'first_token_ms', a.first_token_ms) ORDER BY a.n)
               FROM attempt a WHERE a.generation_id = g.id
             )`;

/** Sample parameters for declaring statements. */
const all = { accountId: [1], limit: [1] };
const noCode = { code: [undefined], request_id: [undefined] };

// The row of an empty page has only the count. Conditions are independent of each other, so not every combination is declared.
export const selectRequests = composedStatement({
  row: { ...columns, dropped: int4 },
  forms: [
    ...combine<Query>({
      ...all,
      ...noCode,
      show: [undefined, "generations", "rejected"],
      key: [undefined, NIL_ID],
      from: [undefined, new Date(0)],
      until: [undefined, new Date(0)],
      before: [undefined, NIL_ID],
    }),
    ...combine<Query>({
      ...all,
      show: ["rejected"],
      key: [undefined, NIL_ID],
      code: [undefined, "invalid_input"],
      request_id: [undefined, "x"],
      from: [undefined],
      until: [undefined],
      before: [undefined, NIL_ID],
    }),
  ],
  compose: composeSql,
});
