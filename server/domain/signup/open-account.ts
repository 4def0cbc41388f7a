import type { Hub } from "../../context";
import type { Queryable } from "../../db/client";
import { getMailer } from "../../lib/mail";
import type { Nano } from "../../lib/money";
import { type AccountRequest, createAccount } from "../accounts/account";
import { claimSignUpCredit } from "../accounts/sign-up-credit";
import { creditInTransaction } from "../ledger/credit";

/**
 * Creates an account for somebody who signs up, with the hub's trial credit. Where the hub sends e-mail, an unverified
 * address gets the credit once it is verified (decision 40). Throws as `createAccount` does.
 */
export async function openAccount(hub: Hub, request: Omit<AccountRequest, "signUpCredit">): Promise<number> {
  const credit = hub.env.SIGN_UP_CREDIT;
  const isDueLater = !request.verified && isVerificationDue(hub);
  const signUpCredit = isDueLater ? credit : null;
  return hub.db.transaction(async (tx) => {
    const id = await createAccount(hub, { ...request, signUpCredit }, tx);
    if (!isDueLater) await creditSignUp(tx, id, credit, hub.now());
    return id;
  });
}

/** Returns whether who signs up by password has to verify the e-mail address for a trial credit. */
export const isVerificationDue = (hub: Hub): boolean => hub.env.SIGN_UP_CREDIT > 0n && getMailer(hub.env).send !== null;

/**
 * Marks an account's e-mail address as verified and credits what was due for that, within the caller's transaction.
 * Returns the amount credited; null if none was due.
 */
export async function verifyAddress(tx: Queryable, accountId: number, now: Date): Promise<Nano | null> {
  // The account stays locked until the end of the transaction, so of several only one finds an amount.
  const [claimed] = await claimSignUpCredit(tx, accountId, now);
  const amount = claimed?.amount ?? null;
  if (amount !== null) await creditSignUp(tx, accountId, amount, now);
  return amount;
}

async function creditSignUp(tx: Queryable, accountId: number, amount: Nano, now: Date): Promise<void> {
  if (amount === 0n) return;
  // The reference exists once for each account, whatever calls this again.
  await creditInTransaction(tx, accountId, { amount, reference: `sign-up:${accountId}`, note: "Trial credit" }, now);
}
