import { readUsage, serializeUsage, type UsageQuery, writeUsage } from "../domain/usage";
import type { Hub } from "../domain/hub";
import { createCsvDownload } from "../lib/csv-download";
import { defineOperation, type HandlerResult } from "./operation";
import * as schemas from "./schemas/usage";

/** The format of usage: one page as JSON, or all rows as CSV. */
interface Format {
  format?: "json" | "csv";
  limit: number;
  cursor?: string;
}

const acceptsCsv = (headers: Headers): boolean => /\btext\/csv\b/.test(headers.get("accept") ?? "");

/** Returns the response with usage as JSON or CSV. */
export async function respondUsage(
  hub: Hub,
  headers: Headers,
  query: UsageQuery,
  { format, limit, cursor }: Format,
): Promise<HandlerResult> {
  if (format !== "csv" && (format === "json" || !acceptsCsv(headers)))
    return { json: serializeUsage(await readUsage(hub, query, { limit, cursor })) };
  return createCsvDownload("usage", hub.now(), await writeUsage(hub, query));
}

export const getUsage = defineOperation({
  name: "getUsage",
  method: "get",
  path: "/api/v1/hub/usage",
  tag: "Account",
  summary: "Retrieve usage",
  description:
    "Returns what was settled in a period, by one or two groups and in the order of their values. `billed` equals the charges " +
    "of the ledger in that time: a generation counts when it is settled, whenever it was created. Two labels together, a label with " +
    "`model`, `key` or `hour`, and keys of `metadata` that are not named in the account's settings cover at most 31 days. `(other)` " +
    "are the end users or values beyond 10,000 a day. With `format=csv` or `Accept: text/csv` you get all rows as CSV.",
  auth: "key",
  cost: "read",
  query: schemas.UsageQuery,
  responses: { 200: { description: "Usage by its groups", schema: schemas.UsagePage } },
  problems: [],
  handler: ({ hub, ctx, query: { from, to, group_by: groups, ...format }, request }) =>
    respondUsage(hub, request.headers, { accountId: ctx.account.id, from, to, groups }, format),
});
