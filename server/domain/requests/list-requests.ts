import { z } from "zod";
import type { Ctx } from "../../context";
import { type ErrorCode, errorTable } from "../../errors";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import type { RequestsHub } from "./hub";
import { type FoundRequest, selectRequests } from "./select-requests";

const DAY_MS = 86_400_000;
const day = z.iso.date("must be a day as YYYY-MM-DD").optional();

/**
 * Filters of the list. `from` and `to` are days in UTC; `to` is inclusive. Only rejected requests have a code and a request
 * id.
 */
export const RequestFilters = z.object({
  show: z.enum(["generations", "rejected"]).optional(),
  key: z.uuid().optional(),
  code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]], "must be the code of an error").optional(),
  from: day,
  to: day,
  request_id: z.string().max(200).optional(),
});

type Filters = z.output<typeof RequestFilters>;

interface Page {
  data: FoundRequest[];
  next_cursor: string | null;
  /** How many requests of the account were rejected in these days but not stored. */
  dropped: number;
}

/** Returns a page of the account's generations and rejected requests, newest first, in one statement. */
export async function listRequests(
  { hub, account }: Ctx<RequestsHub>,
  { limit, cursor, ...filters }: Filters & { limit: number; cursor?: string },
): Promise<Page> {
  const { show, key, code, request_id, from, to } = filters;
  const scope = JSON.stringify(["requests", account.id, show, key, code, request_id, from, to]);
  const rows = await selectRequests(hub.db, {
    accountId: account.id,
    show: code === undefined && request_id === undefined ? show : "rejected",
    key,
    code,
    request_id,
    from: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
    before: cursor === undefined ? undefined : decodeCursor(hub, scope, cursor),
    limit: limit + 1,
  });
  // An empty page is one row with the count and without a request.
  const found = rows.filter(({ id }) => id !== null);
  const data = found.slice(0, limit);
  const next_cursor = found.length > limit ? encodeCursor(hub.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor, dropped: rows[0]!.dropped };
}
