import {
  array,
  int4,
  int8Number,
  jsonb,
  notNull,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
} from "../../db/column-types";
import { columnList, statement } from "../../db/statement";
import type { EventName } from "../events";
import { fileColumns, fileSql, hasContentSql } from "../files/sql";
import { paymentColumns, paymentSql } from "../payments/sql";

const keyColumns = {
  id: uuid,
  name: text,
  prefix: text,
  scope: textOf<"api" | "mcp">(),
  created_at: timestamptz,
  last_used_at: nullable(timestamptz),
  expires_at: nullable(timestamptz),
  revoked_at: nullable(timestamptz),
  paused_at: nullable(timestamptz),
  spend_limit_reset: nullable(text),
  allowed_models: nullable(jsonb<string[]>()),
  allowed_ips: nullable(jsonb<string[]>()),
  metadata: nullable(jsonb<Record<string, string>>()),
  requests_per_minute: nullable(int4),
  tokens_per_minute: nullable(int4),
};

// Every statement returns a page of the account `$1` before the id `$2`, newest first.
const params = [int4, nullable(uuid), int8Number] as const;

/** API keys and those of connected apps, including revoked ones, without their secrets and hashes. */
export const selectKeys = statement({
  params,
  row: { ...keyColumns, spend_limit: nullable(text) },
  text: `
    SELECT ${columnList(keyColumns, "k")}, trim_scale(k.spend_limit / 1e9)::text AS spend_limit FROM api_key k
    WHERE k.account_id = $1 AND ($2::uuid IS NULL OR k.id < $2) ORDER BY k.id DESC LIMIT $3`,
});

/** Webhook endpoints, including revoked ones, without their secrets. */
export const selectEndpoints = statement({
  params,
  row: {
    id: uuid,
    url: text,
    events: nullable(array(textOf<EventName>())),
    created_at: timestamptz,
    revoked_at: nullable(timestamptz),
  },
  text: `
    SELECT id, url, events, created_at, revoked_at FROM endpoint
    WHERE account_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
});

/** Payments, with the addresses of their invoices. */
export const selectPayments = statement({
  params,
  row: paymentColumns,
  text: `
    SELECT ${paymentSql} FROM payment p
    WHERE p.account_id = $1 AND ($2::uuid IS NULL OR p.id < $2) ORDER BY p.id DESC LIMIT $3`,
});

/** Uploads and outputs whose content is stored. */
export const selectFiles = statement({
  params,
  row: fileColumns,
  text: `
    SELECT ${fileSql} FROM file f
    WHERE f.account_id BETWEEN $1 AND $1 AND ${hasContentSql("f")}
      AND ($2::uuid IS NULL OR f.id < $2)
    ORDER BY f.account_id, f.id DESC LIMIT $3`,
});

/** A file that the archive lacks. */
export interface MissingFile {
  id: string;
  path: string;
  reason: string;
}

/** The files that parts of the export `$1` lack, in pages of 50 parts after `$2`. */
export const selectMissing = statement({
  params: [uuid, int4],
  row: { n: notNull(int4), missing: notNull(jsonb<MissingFile[]>()) },
  text: `
    SELECT n, missing FROM account_export_part
    WHERE export_id = $1 AND n > $2 AND jsonb_array_length(missing) > 0 ORDER BY n LIMIT 50`,
});

/** How many rows and files an export of the account `$1` has: those that take long to write. */
export const countTotal = statement({
  params: [int4],
  row: { total: notNull(int8Number) },
  text: `
    SELECT (SELECT count(*) FROM generation WHERE account_id = $1) + (SELECT count(*) FROM ledger_entry WHERE account_id = $1)
      + 2 * (SELECT count(*) FROM file WHERE account_id = $1 AND ${hasContentSql("file")}) AS total`,
  isLong: true,
});
