import type { Account } from "../../context";
import { normalizeEmail } from "../../lib/normalize-email";
import type { Queryable } from "../../db/client";
import { bool, int4, int8, nullable, text, timestamptz } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { lockAccountSql } from "./account-sql";
import { operate, type Operator } from "../operator-actions";
import type { AccountsHub } from "./hub";

/**
 * Returns SQL that inserts an account with a balance of zero. Needs a CTE `owner (email, created_at)` with the person who
 * owns it; `member` and `signUpCredit` are parameters. Makes `created (id)`, which is empty if an account has the address.
 */
export const insertAccountSql = ({
  owner,
  member,
  signUpCredit,
}: Record<"owner" | "member" | "signUpCredit", string>) => `
  created AS (
    INSERT INTO account (email, member, sign_up_credit, created_at)
    SELECT email, ${member}::boolean, ${signUpCredit}::bigint, created_at FROM ${owner}
    ON CONFLICT (email) DO NOTHING RETURNING id
  )`;

const MAX_INT4 = 2 ** 31 - 1;

/** Parses the id of an account; returns null if the text is not one. */
export const parseAccountId = (text: string): number | null =>
  /^\d{1,10}$/.test(text) && Number(text) <= MAX_INT4 ? Number(text) : null;

const columns = { id: int4, email: text, member: bool, balance: int8 };

/** Returns the account with this contact address. Throws a 404 if there is none. */
export async function getAccount(hub: AccountsHub, email: string): Promise<RowOf<typeof columns>> {
  const [account] = await selectAccount(hub.db, normalizeEmail(email));
  if (!account) throw new AppError("resource_not_found", `There is no account with the address ${email}.`);
  return account;
}

// SQL instead of Prisma, because most commands would load Prisma's compiler for this query alone.
const selectAccount = statement({
  params: [text],
  row: columns,
  text: `SELECT ${columnList(columns, "account")} FROM account WHERE email = $1`,
});

/** Returns the account with this id. Throws a 404 if there is none. */
export async function getAccountById(hub: AccountsHub, id: number): Promise<Account> {
  const [account] = await selectById(hub.db, id);
  if (!account) throw accountNotFoundError();
  return account;
}

const selectById = statement({
  params: [int4],
  row: { ...columns, reserved: int8 },
  text: "SELECT id, email, member, balance, reserved FROM account WHERE id = $1",
});

/** Returns whether there is any account. */
export const hasAccounts = async (hub: AccountsHub): Promise<boolean> => (await selectAnyAccount(hub.db)).length > 0;

const selectAnyAccount = statement({ params: [], row: { id: int4 }, text: "SELECT id FROM account LIMIT 1" });

/**
 * Locks the account `$1` until the end of the transaction, so that no other transaction with this lock adds to what the
 * next statements count.
 */
export const lockAccount = statement({
  params: [int4],
  row: {
    suspended: bool,
    closes_at: nullable(timestamptz),
    closed_at: nullable(timestamptz),
    balance: int8,
    reserved: int8,
  },
  text: "SELECT suspended, closes_at, closed_at, balance, reserved FROM account WHERE id = $1 FOR UPDATE",
});

/** Locks an account as `lockAccount` does. Throws a 404 if there is none, and a 409 if it is suspended or closing. */
export async function lockActiveAccount(tx: Queryable, id: number): Promise<void> {
  const [account] = await lockAccount(tx, id);
  if (!account) throw accountNotFoundError();
  if (account.suspended) throw new AppError("invalid_state", "The account is suspended. Resume it first.");
  if (account.closes_at) throw new AppError("invalid_state", "The account is closing.");
}

const accountNotFoundError = () => new AppError("resource_not_found", "There is no such account.");

/**
 * Locks an account until the end of the transaction, in which the limit of one of its keys or a budget changes. Statements that
 * began before and hold or settle its money run again (decision 36).
 */
export const beginKeyLimitChange = statement({
  params: [int4],
  row: {},
  text: `UPDATE account SET key_limits_version = key_limits_version + 1 WHERE id = ${lockAccountSql("$1")}`,
});

/** Ends the sessions of all people that act for the account `$1`, which stays locked until the end of the transaction. */
export const endAccountSessions = statement({
  params: [int4],
  row: {},
  text: `UPDATE account SET session_version = session_version + 1 WHERE id = ${lockAccountSql("$1")}`,
});

/** Makes the verified address of the member `$2` the contact address of the account `$1`. */
export const updateContact = statement({
  params: [int4, int4],
  row: { id: int4 },
  text: `
    UPDATE account SET email = p.email FROM person p JOIN membership m ON m.person_id = p.id
    WHERE account.id = ${lockAccountSql("$1")} AND m.account_id = $1 AND p.id = $2 AND p.email_verified_at IS NOT NULL RETURNING account.id`,
});

/** A change of an account by an operator. */
interface AccountOrder {
  id: number;
  reason?: string | null;
}

/**
 * Suspends or reactivates an account; does nothing if it already is, or is closed. Its keys stop working at once; accepted
 * generations still run. The sessions that act for it end permanently, so none of them resumes when the account is reactivated.
 */
export async function suspendAccount(
  hub: AccountsHub,
  operator: Operator,
  { id, reason, suspended }: AccountOrder & { suspended: boolean },
): Promise<void> {
  const target = { kind: "account", id: String(id) };
  await operate(
    hub,
    operator,
    { action: suspended ? "account.suspend" : "account.resume", target, reason },
    async (tx) => {
      const [changed] = await updateSuspended(tx, id, suspended);
      return changed ? { before: { suspended: !suspended }, after: { suspended }, result: undefined } : null;
    },
  );
}

const updateSuspended = statement({
  params: [int4, bool],
  row: { id: int4 },
  text: `
    UPDATE account SET suspended = $2, session_version = session_version + 1
    WHERE id = ${lockAccountSql("$1")} AND suspended <> $2 AND closed_at IS NULL
    RETURNING id`,
});

/** Grants or withdraws access to the models for members; does nothing if that changes nothing. */
export async function setModelAccess(
  hub: AccountsHub,
  operator: Operator,
  { id, reason, member }: AccountOrder & { member: boolean },
): Promise<void> {
  const target = { kind: "account", id: String(id) };
  await operate(hub, operator, { action: "account.set-member", target, reason }, async (tx) => {
    const [changed] = await updateMember(tx, id, member);
    return changed ? { before: { member: !member }, after: { member }, result: undefined } : null;
  });
}

const updateMember = statement({
  params: [int4, bool],
  row: { id: int4 },
  text: `UPDATE account SET member = $2 WHERE id = ${lockAccountSql("$1")} AND member <> $2 RETURNING id`,
});

/**
 * Sets the weight, 1 to 100, with which an account shares capacity with others (decision 121); does nothing if that changes
 * nothing.
 */
export async function setWeight(
  hub: AccountsHub,
  operator: Operator,
  { id, reason, weight }: AccountOrder & { weight: number },
): Promise<void> {
  const target = { kind: "account", id: String(id) };
  await operate(hub, operator, { action: "account.set-weight", target, reason }, async (tx) => {
    const [changed] = await updateWeight(tx, id, weight);
    return changed ? { before: { weight: changed.before }, after: { weight }, result: undefined } : null;
  });
}

const updateWeight = statement({
  params: [int4, int4],
  row: { before: int4 },
  text: `
    WITH locked AS MATERIALIZED (SELECT id, weight FROM account WHERE id = $1 FOR UPDATE)
    UPDATE account SET weight = $2 FROM locked WHERE account.id = locked.id AND locked.weight <> $2
    RETURNING locked.weight AS before`,
});

/** Stores for how many days the account `$1` keeps replies of chats; null for not at all. */
export const setReplyRetention = statement({
  params: [int4, nullable(int4)],
  row: {},
  text: `UPDATE account SET reply_retention_days = $2 WHERE id = ${lockAccountSql("$1")}`,
});

/**
 * Returns SQL for how many days an account keeps replies of chats, at most `max`; null if it keeps none. `account` is the name
 * of its row, `max` an expression.
 */
export const keptReplyDaysSql = (account: string, max: string): string =>
  `CASE WHEN ${account}.reply_retention_days IS NOT NULL THEN least(${account}.reply_retention_days, ${max}) END`;

/** Stores whether the content of new generations of the account `$1` is erased soon after their end. */
export const setKeepsNothing = statement({
  params: [int4, bool],
  row: {},
  text: `UPDATE account SET keeps_nothing = $2 WHERE id = ${lockAccountSql("$1")}`,
});

/** Sets whether people need a second factor to act for the account `$1`. */
export const setSecondFactorDemand = statement({
  params: [int4, bool],
  row: {},
  text: `UPDATE account SET requires_second_factor = $2 WHERE id = ${lockAccountSql("$1")}`,
});
