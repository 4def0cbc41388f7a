import type { Queryable } from "../../db/client";
import { getMailer } from "../../lib/mail";
import { formatDecimal, type Nano } from "../../lib/money";
import { claimSignUpCredit } from "../accounts";
import { creditInTransaction, insertTrialCredit } from "../ledger";
import { type AccountRequest, createAccount, verifyPerson } from "../people";
import type { SignupHub } from "./hub";
import { operate, type Operator } from "../operator-actions";
import { hashPassword } from "../passwords";

/**
 * Creates an account for a person who signs up, with the hub's trial credit. If the hub sends e-mail, an unverified address
 * gets the credit once it is verified (decision 40). Throws as `createAccount` does.
 */
export async function openAccount(hub: SignupHub, request: Omit<AccountRequest, "signUpCredit">): Promise<number> {
  const credit = hub.env.SIGN_UP_CREDIT;
  const isDueLater = !request.verified && isVerificationDue(hub);
  return hub.db.transaction(async (tx) => {
    const id = await createAccount(hub, { ...request, signUpCredit: isDueLater ? credit : null }, tx);
    if (!isDueLater && credit > 0n) await insertTrialCredit(tx, id, credit, hub.now());
    return id;
  });
}

/** Returns whether people who sign up by password must verify their e-mail address to get the trial credit. */
export const isVerificationDue = (hub: SignupHub): boolean =>
  hub.env.SIGN_UP_CREDIT > 0n && getMailer(hub.env).send !== null;

/**
 * Marks a person's e-mail address as verified, and credits the trial credit that is due to the accounts that they own, in
 * the caller's transaction. Returns the amount credited; null if none was due.
 */
export async function verifyAddress(tx: Queryable, personId: number, now: Date): Promise<Nano | null> {
  await verifyPerson(tx, personId, now);
  // The accounts stay locked until the end of the transaction, so only one of several callers finds an amount.
  const claimed = await claimSignUpCredit(tx, personId);
  for (const { id, amount } of claimed) await insertTrialCredit(tx, id, amount, now);
  return claimed.length > 0 ? claimed.reduce((sum, { amount }) => sum + amount, 0n) : null;
}

interface NewAccount {
  email: string;
  /** Without one, the owner sets it by e-mail, or signs in by an identity provider. */
  password?: string;
  member?: boolean;
  /** Initial credit. */
  credit?: Nano;
}

/**
 * Creates an account on behalf of an operator, who vouches for the e-mail address, and returns its id. Throws as
 * `createAccount` and `hashPassword` do.
 */
export async function createAccountByOperator(
  hub: SignupHub,
  operator: Operator,
  { email, password, member = false, credit = 0n }: NewAccount,
): Promise<number> {
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const action = { action: "account.create", target: { kind: "account", id: "" } };
  const id = await operate(hub, operator, action, async (tx) => {
    const account = await createAccount(hub, { email, member, passwordHash, verified: true }, tx);
    if (credit !== 0n)
      await creditInTransaction(tx, account, { amount: credit, reference: null, note: "First credit" }, hub.now());
    return {
      before: null,
      after: { member, credit: formatDecimal(credit) },
      details: { email },
      target: { kind: "account", id: String(account) },
      result: account,
    };
  });
  return id!;
}
