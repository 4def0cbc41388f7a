import { float8, int8, json, jsonText, nullable, text, textOf, timestamptz, uuid } from "../../../db/column-types";
import { emitEventsSql, pendingDeliveriesSql } from "../../events/sql";
import type { PendingDelivery } from "../../events";
import type { Form } from "../../accounts/sql";
import { settleOneSql, settleSql } from "../../ledger/sql";
import { snapshotSql } from "../read/sql";
import { columnsSql } from "../row/sql";
import type { FinalStatus } from "../row";

/** The parameters of a statement that ends generations: the endings as a JSON array, and the time. */
export const endingParams = { endings: jsonText, now: timestamptz };

/** The columns that every statement returns for a generation that it has ended. */
export const endingColumns = {
  id: uuid,
  model: text,
  status: textOf<FinalStatus>(),
  billed_cost: nullable(int8),
  excess_cost: int8,
  run_seconds: nullable(float8),
  deliveries: nullable(json<PendingDelivery[]>()),
};

interface EndingSql {
  /** The short forms need the column `limits_version` of `:endings` (decision 112). */
  form: Form;
  /** The columns of `:endings`, among them `id`, `to` and `error`. */
  input: string;
  /** A condition that all endings meet. */
  isValid: string;
  /** Selects and locks the generations that may end, as `locked (id, was)`, in the order of their ids. */
  locked: string;
  /** The condition by which a chat frees its idempotency key. */
  isUnanswered: string;
  /** Further assignments to the generation `g`. */
  assignments: string;
  /** Whether the generations may have their own webhooks; `columns` then includes `webhook`. */
  hasOwnWebhooks?: boolean;
  /** Further columns of `ended`. */
  columns?: string;
  /** The CTEs that store attempts and what else ends with the generation. */
  rest: string;
  /** The JSON expressions for the outputs and missing files of the events. */
  lists: Parameters<typeof snapshotSql>[1];
  /** Further columns of the result. */
  result: string;
}

/**
 * Returns the SQL that ends generations, either chats or all others. It writes the final state, the settlement and the events.
 * Generations are locked first, then accounts, each in the order of their ids, so that concurrent statements never deadlock;
 * `finish.sql` and `settle-chat.sql` show the whole.
 */
export const composeEndingSql = (sql: EndingSql): string => `
    -- The condition always holds. It shows the planner that there are few rows: it would scan whole tables while these
    -- have no statistics (decision 8).
    WITH ending AS (
      SELECT * FROM json_to_recordset(:endings::json) AS row (
        ${sql.input})
      WHERE "to" IN ('succeeded', 'failed', 'canceled') AND ${sql.isValid}
    ),
    -- The generations that may still end.
    locked AS MATERIALIZED (
      ${sql.locked}
      ORDER BY g.id FOR NO KEY UPDATE OF g
    ),
    -- Their final state. A chat without an answer frees its idempotency key, because clients retry it with the same one.
    ended AS (
      UPDATE generation g SET
        ${finalStateSql(sql)}
      FROM locked JOIN ending ON ending.id = locked.id
      WHERE g.id = locked.id
      RETURNING ${columnsSql("g")}, g.excess_cost,
                ${sql.columns ? `${sql.columns}, ` : ""}${sql.form === "full" ? "" : "ending.limits_version, "}locked.was, coalesce(g.billed_cost, 0) AS charge
    ),
    ${settleSql(sql.form)},
    ${sql.rest}${sql.form === "full" ? `,${endedEventsSql(sql)}` : ""}
    SELECT id, model, status, billed_cost, excess_cost, extract(epoch FROM completed_at - started_at)::float8 AS run_seconds,
           ${sql.form === "full" ? pendingDeliveriesSql("ended.id") : "NULL::json AS deliveries"},
           ${sql.result}
    FROM ended`;

type OneEndingSql = Pick<EndingSql, "input" | "isUnanswered" | "assignments" | "rest" | "result">;

const finalStateSql = ({ isUnanswered, assignments }: Pick<OneEndingSql, "isUnanswered" | "assignments">) =>
  `status = ending."to", error = ending.error, completed_at = :now, settled_at = :now,
        progress = CASE WHEN ending."to" = 'succeeded' THEN 1 ELSE g.progress END,
        idempotency_key = CASE WHEN NOT (g.is_llm AND (${isUnanswered})) THEN g.idempotency_key END,
        request_digest = CASE WHEN g.joinable_at IS NOT NULL THEN g.request_digest END,
        ${assignments}`;

/**
 * Returns the SQL of the end of one chat in the plain form (decision 145). `input` has the expressions of the columns that
 * `assignments` reads of `ending`. Needs the parameters `:id`, `:now` and `:limits_version`.
 */
export const composeOneEndingSql = (sql: OneEndingSql): string => `
    -- Its final state. A chat without an answer frees its idempotency key, because clients retry it with the same one.
    WITH ended AS (
      UPDATE generation g SET
        ${finalStateSql(sql)}
      FROM (SELECT ${sql.input}) ending
      WHERE g.id = :id AND g.is_llm AND g.status = 'running'
      RETURNING g.id, g.account_id, g.key_id, g.model, g.is_llm, g.status, g.estimated_cost, g.billed_cost, g.excess_cost,
                g.started_at, g.completed_at, coalesce(g.billed_cost, 0) AS charge
    ),
    ${settleOneSql()},
    ${sql.rest}
    SELECT id, model, status, billed_cost, excess_cost, extract(epoch FROM completed_at - started_at)::float8 AS run_seconds,
           NULL::json AS deliveries, ${sql.result}
    FROM ended`;

// It reads `paid`, whose accounts are locked, so that events are numbered in the order of their commits.
const endedEventsSql = ({ lists, hasOwnWebhooks }: EndingSql) =>
  emitEventsSql({
    event: "generation.completed",
    changed: "(SELECT ended.*, paid.follows_events FROM ended JOIN paid USING (account_id))",
    at: ":now",
    snapshot: snapshotSql("changed", lists),
    hasOwnWebhooks,
  });

/** Returns the charge for a cost of the generation `g`: at most its hold, less what was paid already for the same request. */
export const chargeSql = (cost: string): string =>
  `greatest(least(${cost}, g.estimated_cost) - coalesce((g.price ->> 'already_paid')::bigint, 0), 0)`;
