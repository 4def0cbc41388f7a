import type { Queryable } from "../../db/client";
import { getMailer } from "../../lib/mail";
import type { Nano } from "../../lib/money";
import { claimSignUpCredit } from "../accounts";
import { creditInTransaction } from "../ledger";
import { type AccountRequest, createAccount, verifyPerson } from "../people";
import type { SignupHub } from "./hub";

/**
 * Creates an account for somebody who signs up, with the hub's trial credit. Where the hub sends e-mail, an unverified
 * address gets the credit once it is verified (decision 40). Throws as `createAccount` does.
 */
export async function openAccount(hub: SignupHub, request: Omit<AccountRequest, "signUpCredit">): Promise<number> {
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
export const isVerificationDue = (hub: SignupHub): boolean =>
  hub.env.SIGN_UP_CREDIT > 0n && getMailer(hub.env).send !== null;

/**
 * Marks a person's e-mail address as verified and credits what was due for that to the accounts that they own, within the
 * caller's transaction. Returns the amount credited; null if none was due.
 */
export async function verifyAddress(tx: Queryable, personId: number, now: Date): Promise<Nano | null> {
  await verifyPerson(tx, personId, now);
  // The account stays locked until the end of the transaction, so of several only one finds an amount.
  const claimed = await claimSignUpCredit(tx, personId);
  for (const { id, amount } of claimed) await creditSignUp(tx, id, amount, now);
  return claimed.length > 0 ? claimed.reduce((sum, { amount }) => sum + amount, 0n) : null;
}

async function creditSignUp(tx: Queryable, accountId: number, amount: Nano, now: Date): Promise<void> {
  if (amount === 0n) return;
  // The reference exists once for each account, whatever calls this again.
  await creditInTransaction(tx, accountId, { amount, reference: `sign-up:${accountId}`, note: "Trial credit" }, now);
}
