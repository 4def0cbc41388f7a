import { text, uuid } from "../../../db/column-types";
import type { Bind } from "../../../db/statement";
import type { Search } from "./search-words";

/**
 * Returns SQL for the newest generations, as many as `limit`, that match the conditions `where` and have one of the
 * models in the array `models`, both placeholders. No index has several models in one order, so each model's newest are
 * read from the index by model and merged: a kind that is rare costs no more than a frequent one. The ids are merged
 * first, because the index has them.
 */
export function composeNewestSql(where: string, limit: string, models: string | undefined): string {
  if (models === undefined) {
    return `SELECT id, billed_cost FROM generation WHERE ${where} ORDER BY account_id, id DESC LIMIT ${limit}`;
  }
  return `
    SELECT generation.id, generation.billed_cost FROM (
      SELECT of_model.id FROM unnest(${models}::text[]) AS wanted (model) CROSS JOIN LATERAL (
        SELECT id FROM generation WHERE ${where} AND model = wanted.model ORDER BY account_id, id DESC LIMIT ${limit}
      ) of_model ORDER BY of_model.id DESC LIMIT ${limit}
    ) merged JOIN generation ON generation.id = merged.id`;
}

/** How many of the newest generations are compared with the words before the index of words is read. */
const MAX_COMPARED = 2_000;
/** How many older generations are found by the index and summed. */
const MAX_OLDER = 1_000;

interface HitsSql {
  /** CTEs, the last of which is `hit (id, billed_cost)`. */
  ctes: string;
  /** Whether `hit` may lack generations that match. */
  isPartial: string;
}

/**
 * Returns SQL for the generations that match a search and the conditions `where`. For words these are at least the
 * newest `limit`; with `models`, only those of these models. All three are placeholders.
 */
export function composeHitsSql(
  search: Search,
  where: string,
  { account, limit, models }: { account: string; limit: string; models?: string },
  bind: Bind,
): HitsSql {
  const isMatch = models === undefined ? where : `${where} AND model = ANY (${models}::text[])`;
  if ("id" in search) return { ctes: composeIdSql(bind(uuid, search.id), { account, isMatch }), isPartial: "false" };
  const newest = composeNewestSql(where, String(MAX_COMPARED), models);
  return {
    ctes: composeWordsSql(`${bind(text, search.words)}::text::tsquery`, { newest, isMatch, limit }),
    isPartial: `(${isPageFullSql(limit)} OR (SELECT count(*) = ${MAX_OLDER} FROM older))`,
  };
}

const composeIdSql = (id: string, { account, isMatch }: Record<"account" | "isMatch", string>) => `
  hit AS MATERIALIZED (
    SELECT id, billed_cost FROM generation WHERE ${isMatch} AND id IN (
      SELECT ${id} UNION SELECT id FROM generation WHERE account_id = ${account} AND batch_id = ${id})
  )`;

const isPageFullSql = (limit: string) =>
  `(SELECT count(*) = ${MAX_COMPARED} AND count(*) FILTER (WHERE matches) >= ${limit} FROM newest)`;

/**
 * Returns SQL that compares the newest generations with the words first, and reads the index only if these are too few
 * for a page: a frequent word is found among the newest, and of another the index has few entries. The index has no
 * order, so it alone would have to read every entry of a frequent word. MATERIALIZED, OFFSET 0 and LIMIT 1 leave the
 * planner no other way, because it cannot know how many rows there are.
 */
const composeWordsSql = (words: string, { newest, isMatch, limit }: Record<"newest" | "isMatch" | "limit", string>) => `
  newest AS MATERIALIZED (
    SELECT page.id, page.billed_cost, entry.matches FROM (${newest}) page LEFT JOIN LATERAL (
      SELECT words @@ ${words} AS matches FROM generation_words WHERE generation_id = page.id LIMIT 1
    ) entry ON true
  ),
  entry AS MATERIALIZED (
    SELECT generation_id AS id FROM generation_words
    WHERE (SELECT count(*) = ${MAX_COMPARED} AND NOT ${isPageFullSql(limit)} FROM newest) AND words @@ ${words}
  ),
  older AS MATERIALIZED (
    SELECT found.id, found.billed_cost FROM (
      SELECT id FROM entry WHERE id < (SELECT id FROM newest ORDER BY id LIMIT 1) ORDER BY id DESC OFFSET 0
    ) entry CROSS JOIN LATERAL (
      SELECT id, billed_cost FROM generation WHERE ${isMatch} AND id = entry.id LIMIT 1
    ) found
    LIMIT ${MAX_OLDER}
  ),
  hit AS (SELECT id, billed_cost FROM newest WHERE matches UNION ALL SELECT id, billed_cost FROM older)`;
