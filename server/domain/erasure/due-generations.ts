import { array, int4, int8, int8Number, notNull, nullable, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { lowestIdSql, NIL_ID } from "../../lib/id";
import { inAccountSql } from "../generations/search/sql";

/** What is erased after days that an account or the hub sets. */
export const contents = ["input", "output", "word", "label"] as const;
export type ContentKind = (typeof contents)[number];

/**
 * SQL for all accounts `a` with the time `cutoff.time` before which their content is due: the least of these numbers of days
 * ago, or an hour ago if they keep nothing; later if they have erased everything up to a later time. Null if nothing ever
 * becomes due. `:now` is the time.
 */
export const cutoffsSql = (...days: string[]): string => `account a
  LEFT JOIN account_retention r ON r.account_id = a.id
  CROSS JOIN LATERAL (
    SELECT greatest(
      CASE WHEN a.keeps_nothing THEN :now::timestamptz - interval '1 hour'
           ELSE :now::timestamptz - make_interval(hours => 24 * least(${days.join(", ")})) END,
      r.erase_before) AS time
  ) cutoff`;

/**
 * SQL for the generations of each account whose content is due, as a range of ids: from the first one after the account's mark
 * up to the cutoff, or to the oldest one that has not ended, because a mark passes each generation once. From `grace_from_id`
 * on, they are due an hour after their end. `:now` is the time, and `hubDays` a parameter. For accounts without anything due,
 * only the first generation is read. The order, here and below, is that of an index by account that is read backwards.
 */
const dueRangesSql = (kind: ContentKind, hubDays: string) => `
  SELECT a.id AS account_id, first.id AS from_id, least(cutoff_id, unsettled.id) AS until_id,
    CASE WHEN a.keeps_nothing THEN coalesce(${lowestIdSql("r.erase_before")}, '${NIL_ID}') END AS grace_from_id
  FROM ${cutoffsSql(`r.${kind}_days`, hubDays)}
  LEFT JOIN retention_mark m ON m.account_id = a.id AND m.content = '${kind}'
  CROSS JOIN LATERAL (SELECT ${lowestIdSql("cutoff.time")} AS cutoff_id) due
  CROSS JOIN LATERAL (
    SELECT id FROM generation g
    WHERE ${inAccountSql("a.id")} AND g.id < cutoff_id
      AND g.id > coalesce(m.erased_until, '${NIL_ID}')
    ORDER BY g.account_id DESC, g.id LIMIT 1
  ) first
  CROSS JOIN LATERAL (
    SELECT min(oldest.id::text)::uuid AS id FROM (VALUES ('queued'), ('running'), ('awaiting_supply')) AS open (status)
    CROSS JOIN LATERAL (
      SELECT id FROM generation g
      WHERE ${inAccountSql("a.id")} AND g.status BETWEEN open.status AND open.status AND g.id >= first.id
      ORDER BY g.account_id DESC, g.status DESC, g.id LIMIT 1) oldest
  ) unsettled`;

/**
 * SQL for columns of the generations in these ranges, at most `:limit` of each account. For an account that keeps nothing, they
 * stop before the first one that ended less than an hour ago: its owner may not have fetched its outputs yet, and the mark must
 * not pass it.
 */
const dueSql = (kind: ContentKind, hubDays: string, columns: string) => `
  SELECT ${columns} FROM (${dueRangesSql(kind, hubDays)}) due CROSS JOIN LATERAL (
    SELECT g.id,
      bool_or(g.id >= due.grace_from_id AND g.completed_at > :now::timestamptz - interval '1 hour')
        OVER (ORDER BY g.account_id DESC, g.id) AS is_early
    FROM (
      SELECT account_id, id, completed_at FROM generation g
      WHERE ${inAccountSql("due.account_id")} AND g.id >= due.from_id AND g.id < due.until_id
      ORDER BY g.account_id DESC, g.id LIMIT :limit
    ) g
  ) due_generation WHERE is_early IS NOT TRUE`;

const declareDue = (kind: ContentKind) =>
  statement({
    params: { now: timestamptz, days: nullable(int4), limit: int8Number },
    row: { account_id: int4, id: uuid },
    text: `${dueSql(kind, ":days::int", "due.account_id, due_generation.id")} LIMIT :limit`,
  });

/** Returns generations whose content of a kind is due, at most `limit`: of each account the oldest, in the order of their ids. */
export const selectDue = {
  input: declareDue("input"),
  output: declareDue("output"),
  word: declareDue("word"),
  label: declareDue("label"),
};

/** Moves each account's mark of a kind to a generation, up to which its content is erased. */
export const moveMarks = statement({
  params: [textOf<ContentKind>(), array(int4), array(uuid)],
  row: {},
  text: `
    INSERT INTO retention_mark AS m (account_id, content, erased_until)
    SELECT account_id, $1, erased_until FROM unnest($2::int[], $3::uuid[]) AS moved (account_id, erased_until)
    ON CONFLICT (account_id, content) DO UPDATE SET erased_until = greatest(m.erased_until, excluded.erased_until)`,
});

const transientSql = `
  FROM generation WHERE keeps_nothing AND erased_at IS NULL AND completed_at IS NOT NULL
    AND completed_at <= :now::timestamptz - interval '1 hour'`;

/** Returns generations that keep nothing and ended an hour ago, at most `limit`, the oldest first. */
export const selectTransient = statement({
  params: { now: timestamptz, limit: int8Number },
  row: { id: uuid },
  text: `SELECT id ${transientSql} ORDER BY completed_at LIMIT :limit`,
});

const declareCount = (kind: ContentKind) =>
  statement({
    params: { now: timestamptz, days: nullable(int4), limit: int8Number },
    row: { count: notNull(int8) },
    text: dueSql(kind, ":days::int", "count(*) AS count"),
  });

/** Returns how many generations have content of a kind that is due, at most `limit` of each account. */
export const countDue = {
  input: declareCount("input"),
  output: declareCount("output"),
  word: declareCount("word"),
  label: declareCount("label"),
};

/** Returns how many generations keep nothing and ended an hour ago. */
export const countTransient = statement({
  params: { now: timestamptz },
  row: { count: notNull(int8) },
  text: `SELECT count(*) AS count ${transientSql}`,
});
