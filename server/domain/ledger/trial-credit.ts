import type { Queryable } from "../../db/client";
import type { Nano } from "../../lib/money";
import { creditInTransaction } from "./credit";

// Also the reference of trial credit in existing ledgers, so it stays as it is.
const PREFIX = "sign-up:";

/** Credits an account with its trial credit in the caller's transaction: once, by a reference that only it has. */
export const insertTrialCredit = (tx: Queryable, accountId: number, amount: Nano, now: Date): Promise<void> =>
  creditInTransaction(tx, accountId, { amount, reference: `${PREFIX}${accountId}`, note: "Trial credit" }, now);

/** Returns SQL for whether an account, given as an expression, was credited with a trial credit. */
export const hadTrialCreditSql = (account: string): string =>
  `EXISTS (SELECT FROM ledger_entry e WHERE e.account_id = ${account} AND e.reference = '${PREFIX}' || ${account})`;
