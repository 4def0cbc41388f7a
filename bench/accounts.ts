import type { Ctx } from "../server/context";
import type { Hub } from "../server/domain/hub";
import { createAccount } from "../server/domain/people/create-account";
import { createKey } from "../server/domain/keys/create";
import { creditAccount } from "../server/domain/ledger/credit";

export interface Customer {
  id: number;
  key: string;
}

/** Creates accounts with a million EUR and an API key each. */
export async function createCustomers(hub: Hub, label: string, count: number): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = await createAccount(hub, { email: `${label}-${n}@example.org` });
    await creditAccount(hub, id, { amount: 1_000_000n * 1_000_000_000n });
    customers.push({ id, key: (await createKey(hub, id, { name: label })).key });
  }
  return customers;
}

/** Returns the context of a request by a user of the account. */
export const contextOf = (hub: Hub, id: number): Ctx<Hub> => ({
  hub,
  account: { id, email: "", member: false, balance: 0n, reserved: 0n },
  actor: { kind: "user" },
  requestId: "bench",
});

/** Inserts finished generations straight into the tables. */
export async function insertHistory(hub: Hub, accountId: number, count: number): Promise<void> {
  await hub.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             progress, timeout_seconds, created_at, started_at, completed_at, settled_at)
     SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5($1::int::text || ':' || n), 1, 3) || '8' || substr(md5($1::int::text || ':' || n), 4, 15))::uuid,
            $1, 'sandbox-image', n % 5 = 0, 'succeeded', '{"prompt": "a tree"}', 9200000, 9200000, '{}', 'sandbox', 1, 60, t, t, t, t
     FROM generate_series(1, $2::bigint) n, LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 second' AS t) at`,
    [accountId, count],
    { isLong: true },
  );
  await hub.db.query(
    "INSERT INTO billing_total (account_id, key_id, model, is_llm, status, billed) VALUES ($1, gen_random_uuid(), 'sandbox-image', false, 'succeeded', $2), ($1, gen_random_uuid(), 'sandbox-image', true, 'succeeded', $3)",
    [accountId, BigInt(count - Math.floor(count / 5)) * 9_200_000n, BigInt(Math.floor(count / 5)) * 9_200_000n],
  );
}
