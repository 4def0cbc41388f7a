import { jsonbText, text, uuid } from "../../../db/column-types";
import type { Bind } from "../../../db/statement";
import { DAY } from "./label-words";
import type { Search } from "./parse-search";

/**
 * Returns SQL for the condition that a generation belongs to `account`, a placeholder or a column of an outer query. The range
 * and an order by account make the planner use the account's own index. For an account with most of the rows it would otherwise
 * read the newest rows of all accounts and discard those of others.
 */
export const inAccountSql = (account: string): string => `account_id BETWEEN ${account} AND ${account}`;

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
/** Up to how many entries of pairs are read at once; more are read day by day. */
const MAX_UNORDERED = 1_000;

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
  if ("id" in search) {
    const { id, metadata } = search;
    const hasPairs = metadata ? ` AND metadata @> ${bind(jsonbText, JSON.stringify(metadata))}::jsonb` : "";
    return { ctes: composeIdSql(bind(uuid, id), { account, isMatch: isMatch + hasPairs }), isPartial: "false" };
  }
  const newest = composeNewestSql(where, String(MAX_COMPARED), models);
  const words = bind(text, search.words);
  return {
    ctes: search.hasPairs
      ? composeWordsSql(toQuery(words, "''"), { newest, isMatch, older: composeDaysSql(words, account, limit) })
      : composeWordsSql(toQuery(words), { newest, isMatch, older: composeEntriesSql(toQuery(words), limit) }),
    isPartial: `(${isPageFullSql(limit)} OR (SELECT count(*) = ${MAX_OLDER} FROM older))`,
  };
}

/** Returns SQL for the query of a search, with `day` for `DAY`. */
const toQuery = (words: string, day?: string): string =>
  day === undefined ? `${words}::text::tsquery` : `replace(${words}::text, '${DAY}', ${day})::tsquery`;

const composeIdSql = (id: string, { account, isMatch }: Record<"account" | "isMatch", string>) => `
  hit AS MATERIALIZED (
    SELECT id, billed_cost FROM generation WHERE ${isMatch} AND id IN (
      SELECT ${id} UNION SELECT id FROM generation WHERE account_id = ${account} AND batch_id = ${id})
  )`;

const isPageFullSql = (limit: string) =>
  `(SELECT count(*) = ${MAX_COMPARED} AND count(*) FILTER (WHERE matches) >= ${limit} FROM newest)`;

interface WordsSql {
  newest: string;
  isMatch: string;
  /** The entries of the index before the newest: CTEs, and a query of their ids, latest first. */
  older: { ctes: string; ids: string };
}

/**
 * Returns SQL that compares the newest generations with the words first, and reads the index only if these are too few for a
 * page: a frequent word is found among the newest, and a rare one has few entries in the index. MATERIALIZED, OFFSET 0 and
 * LIMIT 1 leave the planner no other way, because it cannot know how many rows there are.
 */
const composeWordsSql = (words: string, { newest, isMatch, older }: WordsSql) => `
  newest AS MATERIALIZED (
    SELECT page.id, page.billed_cost, entry.matches FROM (${newest}) page LEFT JOIN LATERAL (
      SELECT words @@ ${words} AS matches FROM generation_words WHERE generation_id = page.id LIMIT 1
    ) entry ON true
  ),
  ${older.ctes},
  older AS MATERIALIZED (
    SELECT found.id, found.billed_cost FROM (${older.ids}) entry CROSS JOIN LATERAL (
      SELECT id, billed_cost FROM generation WHERE ${isMatch} AND id = entry.id LIMIT 1
    ) found
    LIMIT ${MAX_OLDER}
  ),
  hit AS (SELECT id, billed_cost FROM newest WHERE matches UNION ALL SELECT id, billed_cost FROM older)`;

/** SQL: the id of the last generation that was compared. */
const lastComparedSql = "(SELECT id FROM newest ORDER BY id LIMIT 1)";

/** Returns SQL for the condition that the index is read. */
const needsIndexSql = (limit: string) =>
  `(SELECT count(*) = ${MAX_COMPARED} AND NOT ${isPageFullSql(limit)} FROM newest)`;

/** Returns SQL for all entries of words. The index has no order, so every entry of a frequent word is read. */
const composeEntriesSql = (words: string, limit: string): WordsSql["older"] => ({
  ctes: `
  entry AS MATERIALIZED (
    SELECT generation_id AS id FROM generation_words WHERE ${needsIndexSql(limit)} AND words @@ ${words}
  )`,
  ids: `SELECT id FROM entry WHERE id < ${lastComparedSql} ORDER BY id DESC OFFSET 0`,
});

/** Returns SQL for the day of a time, as in the entries of pairs. */
const dayOfSql = (time: string) => `floor(extract(epoch FROM ${time}) / 86400)::int`;

/**
 * Returns SQL for the entries of pairs: all if they are few, else day by day from the latest, because an account's team or
 * feature may have hundreds of thousands that are all older than those that were compared.
 */
const composeDaysSql = (words: string, account: string, limit: string): WordsSql["older"] => ({
  ctes: `
  entry AS MATERIALIZED (
    SELECT generation_id AS id FROM generation_words
    WHERE ${needsIndexSql(limit)} AND words @@ ${toQuery(words, "''")} LIMIT ${MAX_UNORDERED} + 1
  ),
  day AS MATERIALIZED (
    SELECT number FROM
      (SELECT created_at FROM generation WHERE id = ${lastComparedSql}) latest,
      (SELECT created_at FROM generation WHERE ${inAccountSql(account)} ORDER BY account_id DESC, id LIMIT 1) earliest,
      generate_series(${dayOfSql("latest.created_at")} + 1, ${dayOfSql("earliest.created_at")} - 1, -1) AS number
    WHERE (SELECT count(*) > ${MAX_UNORDERED} FROM entry)
  )`,
  ids: `
    (SELECT id FROM entry
     WHERE (SELECT count(*) <= ${MAX_UNORDERED} FROM entry) AND id < ${lastComparedSql} ORDER BY id DESC)
    UNION ALL
    (SELECT of_day.id FROM day CROSS JOIN LATERAL (
       SELECT generation_id AS id FROM generation_words
       WHERE words @@ ${toQuery(words, "day.number::text")} AND generation_id < ${lastComparedSql}
       ORDER BY generation_id DESC OFFSET 0
     ) of_day OFFSET 0)`,
});
