import { z } from "zod";
import type { Ctx } from "../../context";
import { int4, int8Number, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type Bind, combine, composedStatement, type RowOf, statement } from "../../db/statement";
import { type ErrorCode, errorTable } from "../../errors";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { isId } from "../../lib/id";
import type { RejectionsHub } from "./hub";
import { MAX_STORED_PER_MINUTE } from "./rejection-log";
import type { KeyScope } from "../keys";

const DAY_MS = 86_400_000;
const day = z.iso.date("must be a day as YYYY-MM-DD").optional();

/** Filters of the list. `from` and `to` are days in UTC; `to` is inclusive. */
export const RejectedFilters = z.object({
  key: z.string().max(200).optional(),
  code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]], "must be the code of an error").optional(),
  from: day,
  to: day,
  request_id: z.string().max(200).optional(),
});

type Filters = z.output<typeof RejectedFilters>;

const rejectedRequestColumns = {
  id: uuid,
  created_at: timestamptz,
  request_id: text,
  method: text,
  path: text,
  status: int4,
  code: textOf<ErrorCode>(),
  message: text,
  key_id: uuid,
  key_name: text,
  key_scope: textOf<KeyScope>(),
};

/** A REST request that was answered with an error. Its body and query are not stored. */
type RejectedRequest = RowOf<typeof rejectedRequestColumns>;

interface Page {
  data: RejectedRequest[];
  next_cursor: string | null;
  /** How many requests of the account were rejected in these days but not stored. */
  dropped: number;
}

/** Returns a page of the account's rejected requests, newest first. */
export async function listRejected(
  { hub, account }: Ctx<RejectionsHub>,
  { limit, cursor, key, code, request_id, from, to }: Filters & { limit: number; cursor?: string },
): Promise<Page> {
  const scope = JSON.stringify(["rejected", account.id, key, code, request_id, from, to]);
  const before = cursor === undefined ? undefined : parsePosition(decodeCursor(hub, scope, cursor));
  const range = { from: toTime(from), until: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS) };
  const [found, [counts]] = await Promise.all([
    key === undefined || isId(key)
      ? selectRejected(hub.db, { ...range, accountId: account.id, key, code, request_id, before, limit: limit + 1 })
      : [],
    countDropped(hub.db, account.id, range.from ?? null, range.until ?? null),
  ]);
  const data = found.slice(0, limit);
  const last = data.at(-1);
  return {
    data,
    next_cursor:
      last && found.length > limit ? encodeCursor(hub.secret, scope, `${last.created_at.getTime()} ${last.id}`) : null,
    dropped: counts!.dropped,
  };
}

const toTime = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

function parsePosition(position: string): [Date, string] {
  const [time, id] = position.split(" ");
  return [new Date(Number(time)), id!];
}

interface Query {
  accountId: number;
  key: string | undefined;
  code: ErrorCode | undefined;
  request_id: string | undefined;
  from: Date | undefined;
  until: Date | undefined;
  /** The time and id of the request that precedes the page. */
  before: [Date, string] | undefined;
  limit: number;
}

function composeSql({ accountId, key, code, request_id, from, until, before, limit }: Query, bind: Bind): string {
  const where = [`r.account_id = ${bind(int4, accountId)}`];
  if (key) where.push(`r.key_id = ${bind(uuid, key)}`);
  if (code) where.push(`r.code = ${bind(text, code)}`);
  if (request_id) where.push(`r.request_id = ${bind(text, request_id)}`);
  if (from) where.push(`r.created_at >= ${bind(timestamptz, from)}`);
  if (until) where.push(`r.created_at < ${bind(timestamptz, until)}`);
  if (before) where.push(`(r.created_at, r.id) < (${bind(timestamptz, before[0])}, ${bind(uuid, before[1])})`);
  return `
    SELECT r.id, r.created_at, r.request_id, r.method, r.path, r.status, r.code, r.message, r.key_id, k.name AS key_name, k.scope AS key_scope
    FROM rejected_request r JOIN api_key k ON k.id = r.key_id
    WHERE ${where.join(" AND ")} ORDER BY r.created_at DESC, r.id DESC LIMIT ${bind(int8Number, limit)}`;
}

const selectRejected = composedStatement({
  row: rejectedRequestColumns,
  forms: combine<Query>({
    accountId: [1],
    key: [undefined, "00000000-0000-0000-0000-000000000000"],
    code: [undefined, "invalid_input"],
    request_id: [undefined, "x"],
    from: [undefined, new Date(0)],
    until: [undefined, new Date(0)],
    before: [undefined, [new Date(0), "00000000-0000-0000-0000-000000000000"]],
    limit: [1],
  }),
  compose: composeSql,
});

const countDropped = statement({
  params: [int4, nullable(timestamptz), nullable(timestamptz)],
  row: { dropped: int4 },
  text: `
    SELECT coalesce(sum(dropped + greatest(offered - ${MAX_STORED_PER_MINUTE}, 0)), 0)::int AS dropped
    FROM rejected_request_count
    WHERE account_id = $1 AND minute >= coalesce($2::timestamptz, '-infinity') AND minute < coalesce($3::timestamptz, 'infinity')`,
});

const MAX_COUNTED = 1_000;

/** Counts the stored rejected requests of a key, up to 1,000; `isMore` says that there are more. */
export async function countRejected(
  { hub, account }: Ctx<RejectionsHub>,
  keyId: string,
): Promise<{ count: number; isMore: boolean }> {
  const [row] = isId(keyId) ? await selectCount(hub.db, account.id, keyId) : [];
  const count = row?.count ?? 0;
  return { count: Math.min(count, MAX_COUNTED), isMore: count > MAX_COUNTED };
}

const selectCount = statement({
  params: [int4, uuid],
  row: { count: int4 },
  text: `
    SELECT count(*)::int AS count
    FROM (SELECT FROM rejected_request WHERE account_id = $1 AND key_id = $2 LIMIT ${MAX_COUNTED + 1}) counted`,
});

/** Returns a rejected request for the console. */
export const serializeRejectedRequest = ({ created_at, key_id, key_name, key_scope, ...request }: RejectedRequest) => ({
  ...request,
  created_at: created_at.toISOString(),
  key: { id: key_id, name: key_name, scope: key_scope },
});
