import type { TestHub } from "../hub";
import { type Customer, newCustomer } from "../api/customer";

const CREDIT = 10;

/** Creates an account with a key and a credit that covers an agent's requests without lowering their limits. */
export const newAgent = (hub: TestHub): Promise<Customer> => newCustomer(hub, { credit: CREDIT });

export interface Money {
  generations: number;
  charges: number;
  /** What the balance has lost beyond the costs of the generations, in nano-euros. */
  unexplained: number;
}

/** Returns how many chats and charges a new agent has had, and what its balance has lost beyond their costs. */
export async function countMoney(hub: TestHub, account: number): Promise<Money> {
  const [row] = await hub.db.query<Money>(
    `SELECT (SELECT count(*)::int FROM generation WHERE account_id = a.id) AS generations,
            (SELECT count(*)::int FROM ledger_entry WHERE account_id = a.id AND kind = 'charge') AS charges,
            (${CREDIT}::bigint * 1000000000 - a.balance
              - (SELECT coalesce(sum(billed_cost), 0) FROM generation WHERE account_id = a.id))::int AS unexplained
     FROM account a WHERE a.id = $1`,
    [account],
  );
  return row!;
}
