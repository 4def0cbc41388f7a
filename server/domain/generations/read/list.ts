import type { Catalogue } from "../../../catalogue/model";
import type { Ctx, Metadata } from "../../../context";
import { decodeCursor, encodeCursor } from "../../../lib/cursor";
import { toEuros } from "../../../lib/money";
import { listModelsOfKind, type ModelKind } from "../../models";
import type { VisibleGeneration } from "../row";
import { parseSearch } from "../search";
import type { ReadHub } from "./hub";
import { type PageFilters, selectPage, type Total } from "./select-page";

/**
 * Filters of the list of generations; `q` is a text to search for, `metadata` has pairs that each generation must have, `from`
 * is inclusive and `until` exclusive.
 */
export type GenerationFilters = Omit<PageFilters, "models"> & { kind?: ModelKind; q?: string; metadata?: Metadata };

/** A page of generations, with the total of all that match the filters. */
export interface GenerationPage extends Total {
  data: VisibleGeneration[];
  next_cursor: string | null;
}

/**
 * Returns a page of generations, newest first, and the total, in one statement whose cost does not grow with the
 * history.
 */
export async function listStoredGenerations(
  ctx: Ctx<ReadHub>,
  { limit, cursor, q, metadata: pairs, ...filters }: GenerationFilters & { limit: number; cursor?: string },
): Promise<GenerationPage> {
  const metadata = pairs && Object.keys(pairs).length > 0 ? pairs : undefined;
  const accountId = ctx.account.id;
  const scope = scopeOf(accountId, { q, metadata, ...filters });
  const position = cursor === undefined ? undefined : parsePosition(decodeCursor(ctx.hub, scope, cursor));
  const search = q === undefined && !metadata ? undefined : parseSearch(accountId, q, metadata);
  const { kind, model, ...others } = filters;
  const models = selectModels(ctx.hub.catalogue, kind, model);
  const { from, until, end_user } = filters;
  // A search reads many rows, and the total of a range of time or of an end user sums them.
  const isSummed = [search, from, until, end_user].some((filter) => filter !== undefined);
  const db = isSummed ? ctx.hub.db : ctx.hub.db.shortReads;
  const rows = await selectPage(db, { ...others, ...models, search, accountId, limit: limit + 1, ...position });
  const { total_billed, total_is_partial } = rows[0]!;
  // An empty page is one row with the total and without a generation.
  const found = rows.filter((row) => row.id !== null);
  const data = found.slice(0, limit);
  const carried = isSummed ? { total_billed, total_is_partial } : undefined;
  const next_cursor =
    found.length > limit ? encodeCursor(ctx.hub.secret, scope, formatPosition(data.at(-1)!.id, carried)) : null;
  return { data, next_cursor, total_billed, total_is_partial };
}

/** Returns the total for REST and the console; `total_is_partial` only if it is. */
export const serializeTotal = ({ total_billed, total_is_partial }: Total) => ({
  total_billed: toEuros(total_billed),
  ...(total_is_partial && { total_is_partial }),
});

/** Returns the filter by model: the given one, those of a kind, or their intersection. */
function selectModels(
  catalogue: Catalogue,
  kind: ModelKind | undefined,
  model: string | undefined,
): Pick<PageFilters, "model" | "models"> {
  if (kind === undefined) return { model };
  const models = listModelsOfKind(catalogue, kind);
  if (model === undefined) return { models };
  return models.includes(model) ? { model } : { models: [] };
}

function scopeOf(accountId: number, filters: GenerationFilters): string {
  const { exclude_llm = false, status, model, batch_id, key, from, until, q, kind, end_user, metadata } = filters;
  const pairs = metadata && Object.entries(metadata).toSorted();
  const labels = [end_user ?? null, pairs ?? null];
  const isLabeled = labels.some((label) => label !== null);
  const added = [key, from, until, q, ...(kind === undefined ? [] : [kind]), ...(isLabeled ? [labels] : [])];
  // Cursors from before these filters existed stay valid.
  const isAdded = added.some((value) => value !== undefined);
  return JSON.stringify([accountId, exclude_llm, status, model, batch_id, ...(isAdded ? added : [])]);
}

// The cursor of a list whose total is summed contains the total, which is therefore summed only for the first page.
const formatPosition = (id: string, total?: Total): string =>
  total ? `${id} ${total.total_billed} ${total.total_is_partial}` : id;

function parsePosition(position: string): { after: string; carried?: Total } {
  const [after = "", billed, isPartial] = position.split(" ");
  if (billed === undefined) return { after };
  return { after, carried: { total_billed: BigInt(billed), total_is_partial: isPartial === "true" } };
}
