import { createAccount } from "../../server/domain/accounts/account";
import { createKey } from "../../server/domain/keys/create";
import { creditAccount } from "../../server/domain/ledger/credit";
import { newId } from "../../server/lib/id";
import { parseDecimal } from "../../server/lib/money";
import type { TestHub } from "../hub";

export interface Customer {
  account: number;
  email: string;
  key: string;
  keyId: string;
}

interface Wishes {
  /** EUR. */
  credit?: number;
  member?: boolean;
  requireIdempotency?: boolean;
  /** EUR, of the key. */
  spendLimit?: number;
  spendLimitReset?: "day" | "month";
}

/** A private account with a key. */
export async function newCustomer(hub: TestHub, wishes: Wishes = {}): Promise<Customer> {
  const email = `${newId()}@example.org`;
  const account = await createAccount(hub, { email, member: wishes.member });
  if (wishes.credit !== 0) await creditAccount(hub, account, { amount: parseDecimal(wishes.credit ?? 10) });
  const { key, record } = await createKey(hub, account, {
    name: "test",
    require_idempotency: wishes.requireIdempotency,
    spend_limit: wishes.spendLimit,
    spend_limit_reset: wishes.spendLimitReset,
  });
  return { account, email, key, keyId: record.id };
}
