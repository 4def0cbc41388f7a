import type { Queryable } from "../../db/client";
import { int4, int8Number, notNull } from "../../db/column-types";
import { statement } from "../../db/statement";
import { lockAccountSql } from "../accounts/sql";
import { eraseCharactersSql } from "../characters/sql";
import { accountRateIdSql } from "../rates/sql";

/** Declares a change of at most `$2` rows of the account `$1`, which returns one row for each. */
const declare = (text: string) =>
  statement({ params: [int4, int8Number], row: { done: notNull(int4) }, text: `${text} RETURNING 1 AS done` });

/** Returns SQL that deletes an account's rows of a table with this key. */
const deleteSql = (table: string, key: string, where = "account_id = $1") =>
  `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT $2)`;

/** Declares the deletion of an account's rows of a table with this key. */
const deletionOf = (...values: Parameters<typeof deleteSql>) => declare(deleteSql(...values));

/** Declares a change of those of an account's rows of a table that are not changed yet. */
const changeOf = (table: string, { set, where }: { set: string; where: string }) =>
  declare(`
    UPDATE ${table} SET ${set} WHERE id IN (
      SELECT id FROM ${table} WHERE account_id = $1 AND (${where}) LIMIT $2 FOR NO KEY UPDATE)`);

/**
 * What is erased of an account besides the content of its generations, in an order that references allow. Rows that money
 * refers to stay, without the words that people chose.
 */
const steps = [
  deletionOf("session", "id"),
  // What `eraseContent` may have left until it expires.
  deletionOf("chat_reply", "generation_id"),
  deletionOf("response", "generation_id"),
  deletionOf("collection_item", "collection_id, generation_id"),
  deletionOf("collection", "id"),
  deletionOf("input_preset", "id"),
  // Their deliveries go with them.
  deletionOf("event", "n"),
  deletionOf("endpoint", "id"),
  deletionOf("alert_message", "id"),
  deletionOf("alert", "account_id, event, subject_id"),
  deletionOf("alert_setting", "account_id"),
  deletionOf("account_retention", "account_id"),
  deletionOf("connection", "id"),
  deletionOf("rejected_request", "id"),
  deletionOf("account_note", "id"),
  // In one statement, so that no snapshot has an account that says it has budgets and has none.
  declare(`
    WITH cleared AS (UPDATE account SET has_budgets = false WHERE id = ${lockAccountSql("$1", "has_budgets")})
    ${deleteSql("budget", "id")}`),
  deletionOf(
    "key_rate",
    "key_id, unit",
    `key_id IN (SELECT id FROM api_key WHERE account_id = $1 UNION ALL SELECT ${accountRateIdSql("$1::int")})`,
  ),
  deletionOf("usage_label_sum", "account_id, label_id, grain, at, value"),
  deletionOf("usage_label", "id"),
  changeOf("api_key", {
    set: "name = '(erased)', metadata = NULL, allowed_ips = NULL, allowed_models = NULL",
    where: "name <> '(erased)' OR metadata IS NOT NULL OR allowed_ips IS NOT NULL",
  }),
  changeOf("batch", {
    set: "idempotency_key = NULL, fingerprint = NULL, webhook = NULL",
    where: "idempotency_key IS NOT NULL OR webhook IS NOT NULL",
  }),
  changeOf("generation", {
    set: "idempotency_key = NULL, fingerprint = NULL",
    where: "idempotency_key IS NOT NULL",
  }),
  declare(eraseCharactersSql),
  // The sweep removes the content of files, and its rows are deleted afterwards.
  changeOf("file", {
    set: "expires_at = least(expires_at, created_at), name = NULL",
    where: "removed_at IS NULL AND (expires_at > created_at OR name IS NOT NULL)",
  }),
  // The sweep removes their content.
  changeOf("account_export", {
    set: "state = 'deleted', ended_at = coalesce(ended_at, created_at), expires_at = created_at, error = NULL",
    where: "state <> 'deleted'",
  }),
  changeOf("direct_upload", {
    set: "expires_at = created_at, name = NULL",
    where: "expires_at > created_at OR name IS NOT NULL",
  }),
  deletionOf(
    "file",
    "id",
    "account_id = $1 AND removed_at IS NOT NULL AND id NOT IN (SELECT file_id FROM direct_upload WHERE account_id = $1 AND file_id IS NOT NULL)",
  ),
];

const MAX_ROWS = 1_000;

/** Erases the records of a closed account. Can be repeated, and interrupted at any point. */
export async function eraseRecords(db: Queryable, accountId: number): Promise<void> {
  for (const step of steps) while ((await step(db, accountId, MAX_ROWS)).length === MAX_ROWS);
}
