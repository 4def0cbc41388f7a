import { array, int4, int8, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { lockAccountSql } from "./account-sql";

const closingColumns = {
  closes_at: nullable(timestamptz),
  closed_at: nullable(timestamptz),
  balance: int8,
  reserved: int8,
  owed: int8,
};

/** Locks the account `$1` until the end of the transaction, and returns when it closes, and its money. */
export const lockClosingAccount = statement({
  params: [int4],
  row: closingColumns,
  text: "SELECT closes_at, closed_at, balance, reserved, owed FROM account WHERE id = $1 FOR UPDATE",
});

/** Stores when the locked account `$1` closes; null keeps it. Its keys are rejected while the time is set. */
export const setClosesAt = statement({
  params: [int4, nullable(timestamptz)],
  row: {},
  text: `UPDATE account SET closes_at = $2 WHERE id = ${lockAccountSql("$1")} AND closed_at IS NULL`,
});

/**
 * Closes the account `$1` for good: ends its sessions and its settings, and replaces its name and contact address, by which
 * the person who has the address may then sign up again.
 */
export const markAccountClosed = statement({
  params: [int4, timestamptz],
  row: {},
  text: `
    UPDATE account SET closed_at = $2, closes_at = least(closes_at, $2), suspended = true, session_version = session_version + 1,
      email = 'closed-' || id || '@erased.invalid', name = NULL, sign_up_credit = NULL, password_hash = NULL, email_verified_at = NULL
    WHERE id = ${lockAccountSql("$1")} AND closed_at IS NULL`,
});

/** Suspends the accounts `$1` of a restored backup, which are closed next. */
export const suspendForClosing = statement({
  params: [array(int4)],
  row: {},
  text: `
    UPDATE account SET suspended = true, closes_at = coalesce(closes_at, now())
    WHERE id IN (SELECT id FROM account WHERE id = ANY ($1::integer[]) ORDER BY id FOR UPDATE)`,
});
