import { createAccount } from "../../server/domain/people/create-account";
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

interface CustomerOptions {
  /** In EUR. */
  credit?: number;
  member?: boolean;
  requireIdempotency?: boolean;
  /** The key's spend limit in EUR. */
  spendLimit?: number;
  spendLimitReset?: "day" | "month";
  requestsPerMinute?: number;
  tokensPerMinute?: number;
  allowedIps?: string[];
}

/** Creates a private account with a key. */
export async function newCustomer(hub: TestHub, options: CustomerOptions = {}): Promise<Customer> {
  const email = `${newId()}@example.org`;
  const account = await createAccount(hub, { email, member: options.member });
  if (options.credit !== 0) await creditAccount(hub, account, { amount: parseDecimal(options.credit ?? 10) });
  const { key, record } = await createKey(hub, account, {
    name: "test",
    require_idempotency: options.requireIdempotency,
    spend_limit: options.spendLimit,
    spend_limit_reset: options.spendLimitReset,
    requests_per_minute: options.requestsPerMinute,
    tokens_per_minute: options.tokensPerMinute,
    allowed_ips: options.allowedIps,
  });
  return { account, email, key, keyId: record.id };
}
