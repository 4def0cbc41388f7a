import type { Ctx } from "../../context";
import { array, int4, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { type ReadHub, selectPage } from "../generations/read";
import type { VisibleGeneration } from "../generations/row";
import { selectBatches } from "./batch";

/** How many reads may fill a page: each leaves out the generations of the batches that were found before. */
const MAX_READS = 5;

interface Options {
  exclude_llm: boolean;
  limit: number;
  cursor?: string;
}

/**
 * Returns a page of the account's generations, newest first, with the batches of its range in place of their generations. The
 * id of a batch is lower than those of its generations, and determines its place in the list. A page is shorter than `limit` if
 * filling it would mean reading past many batches.
 */
export async function listCollapsed(ctx: Ctx<ReadHub>, { cursor, ...options }: Options) {
  const { hub, account } = ctx;
  const scope = JSON.stringify(["collapsed", account.id, options.exclude_llm]);
  const before = cursor === undefined ? undefined : decodeCursor(hub, scope, cursor);
  const { end, isLast, ...page } = await readOutsideBatches(ctx, before, options);
  const batches = await selectBatches(hub.db, { accountId: account.id, before, from: isLast ? undefined : end });
  return { ...page, batches, next_cursor: isLast ? null : encodeCursor(hub.secret, scope, end!) };
}

/** Reads generations that belong to no batch, from below an id down to `end`. */
async function readOutsideBatches({ hub, account }: Ctx<ReadHub>, before: string | undefined, options: Options) {
  const { exclude_llm, limit } = options;
  const outside: string[] = [];
  const data: VisibleGeneration[] = [];
  let total = { total_billed: 0n, total_is_partial: false };
  let end = before;
  let isLast = false;
  for (let reads = 0; reads < MAX_READS && !isLast && data.length + outside.length < limit; reads += 1) {
    const missing = limit - data.length - outside.length;
    const query = { accountId: account.id, exclude_llm, outside, after: end, limit: missing + 1 };
    const rows = await selectPage(hub.db.shortReads, query);
    if (reads === 0) total = rows[0]!;
    // An empty page is one row with the total and without a generation.
    const found = rows.filter(({ id }) => id !== null);
    const read = found.slice(0, missing);
    isLast = found.length <= missing;
    end = read.at(-1)?.id ?? end;
    const batchIds = await findBatchIds(hub, account.id, read);
    outside.push(...batchIds);
    data.push(...read.filter(({ batch_id }) => batch_id === null || !batchIds.has(batch_id)));
  }
  const { total_billed, total_is_partial } = total;
  return { data, end, isLast, total_billed, total_is_partial };
}

/** Returns which `batch_id`s of generations name batches; others are groups of the client's own. */
async function findBatchIds(
  { db }: Pick<ReadHub, "db">,
  accountId: number,
  generations: Pick<VisibleGeneration, "batch_id">[],
): Promise<Set<string>> {
  const ids = new Set(generations.flatMap(({ batch_id }) => batch_id ?? []));
  if (ids.size === 0) return ids;
  return new Set((await selectIds(db.shortReads, accountId, [...ids])).map(({ id }) => id));
}

const selectIds = statement({
  params: [int4, array(uuid)],
  row: { id: uuid },
  text: "SELECT id FROM batch WHERE account_id = $1 AND id = ANY ($2::uuid[])",
});
