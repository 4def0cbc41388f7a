import { array, int4, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";

/** Stores when the locked account `$1` closes; null keeps it. Its keys are rejected while the time is set. */
export const setClosesAt = statement({
  params: [int4, nullable(timestamptz)],
  row: {},
  text: `
    UPDATE account SET closes_at = $2
    WHERE id = (SELECT id FROM account WHERE id = $1 AND closed_at IS NULL FOR UPDATE)`,
});

/**
 * Closes the account `$1` for good: ends its sessions, and replaces its name and contact address, with which somebody may
 * sign up again.
 */
export const markClosed = statement({
  params: [int4, timestamptz],
  row: {},
  text: `
    UPDATE account SET closed_at = $2, closes_at = least(closes_at, $2), suspended = true, session_version = session_version + 1,
      email = 'closed-' || id || '@erased.invalid', name = NULL, sign_up_credit = NULL, password_hash = NULL, email_verified_at = NULL
    WHERE id = (SELECT id FROM account WHERE id = $1 AND closed_at IS NULL FOR UPDATE)`,
});

/** Suspends the accounts `$1` of a restored backup, which are closed next. */
export const suspendAccounts = statement({
  params: [array(int4)],
  row: {},
  text: `
    UPDATE account SET suspended = true, closes_at = coalesce(closes_at, now())
    WHERE id IN (SELECT id FROM account WHERE id = ANY ($1::integer[]) ORDER BY id FOR UPDATE)`,
});
