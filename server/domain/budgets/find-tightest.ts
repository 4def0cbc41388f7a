import type { Ctx } from "../../context";
import {
  bytea,
  int4,
  int8,
  jsonbText,
  notNull,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
} from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { hashEndUser, readLabels } from "../labels";
import type { BudgetsHub } from "./hub";
import { countedHashSql, isCoveredSql } from "./scope";
import { type BudgetWindow, windowStartSql } from "./window";

const tightestColumns = { id: uuid, name: text, amount: int8, window: textOf<BudgetWindow>(), left: notNull(int8) };

/** A budget and what is left of its current window, in nano-euros. */
type TightestBudget = RowOf<typeof tightestColumns>;

/** Returns the budget that covers a request of the caller with its labels and has the least left; undefined if none covers it. */
export async function findTightestBudget(ctx: Ctx<BudgetsHub>): Promise<TightestBudget | undefined> {
  const { hub, account, actor } = ctx;
  const keyId = actor.kind === "key" ? actor.id : null;
  const personId = actor.kind === "user" ? (actor.person?.id ?? null) : null;
  const { metadata, end_user } = readLabels(ctx);
  const pairs = metadata && JSON.stringify(metadata);
  const hash = end_user === null ? null : hashEndUser(hub, account.id, end_user);
  return (await selectTightest(hub.db, account.id, hub.now(), keyId, personId, pairs, end_user, hash))[0];
}

const coveredSql = isCoveredSql("b.scope", {
  keyId: "$3::uuid",
  personId: "$4::integer",
  metadata: "$5::jsonb",
  endUser: "$6::text",
});

const selectTightest = statement({
  params: [int4, timestamptz, nullable(uuid), nullable(int4), nullable(jsonbText), nullable(text), nullable(bytea)],
  row: tightestColumns,
  text: `
    SELECT b.id, b.name, b.amount, b."window", greatest(b.amount - coalesce(s.reserved + s.charged, 0), 0) AS left
    FROM budget b LEFT JOIN budget_spending s
      ON s.budget_id = b.id AND s.revision = b.revision AND s.starts_at = ${windowStartSql('b."window"', "$2::timestamptz")}
      AND s.end_user_hash = ${countedHashSql("b.scope", "$7::bytea")}
    WHERE b.account_id = $1 AND ${coveredSql}
    ORDER BY "left", b.id LIMIT 1`,
});
