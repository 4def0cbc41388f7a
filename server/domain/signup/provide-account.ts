import { formatDecimal, type Nano } from "../../lib/money";
import { creditInTransaction } from "../ledger";
import { operate, type Operator } from "../operator-actions";
import { createAccount } from "../people";
import { hashPassword } from "../passwords";
import type { SignupHub } from "./hub";

interface ProvidedAccount {
  email: string;
  password: string;
  member?: boolean;
  /** Initial credit. */
  credit?: Nano;
}

/**
 * Creates an account by an operator, who vouches for the e-mail address, and returns its id. Throws as `createAccount`
 * and `hashPassword` do.
 */
export async function provideAccount(hub: SignupHub, operator: Operator, request: ProvidedAccount): Promise<number> {
  const { email, password, member = false, credit = 0n } = request;
  const passwordHash = await hashPassword(password);
  const action = { action: "account.create", target: { kind: "account", id: "" } };
  const id = await operate(hub, operator, action, async (tx) => {
    const account = await createAccount(hub, { email, member, passwordHash, verified: true }, tx);
    const first = { amount: credit, reference: null, note: "First credit" };
    if (credit !== 0n) await creditInTransaction(tx, account, first, hub.now());
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
