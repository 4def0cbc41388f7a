import { queryHub } from "./query-hub";

interface Hub {
  dataDir: string;
}

/** Credits a new account, without the second that a command takes. */
export async function grantCredit({ dataDir }: Hub, email: string, euros: number): Promise<void> {
  await queryHub(
    dataDir,
    `WITH credited AS (UPDATE account SET balance = balance + $2 WHERE email = $1 RETURNING id, balance)
     INSERT INTO ledger_entry (account_id, kind, amount, balance_after, created_at)
     SELECT id, 'credit', $2, balance, now() FROM credited`,
    [email, euros * 1e9],
  );
}

/** Gives a person a role of the hub; they need a second factor from then on. */
export async function grantRole({ dataDir }: Hub, email: string, role: "operator" | "auditor"): Promise<void> {
  await queryHub(dataDir, "UPDATE person SET hub_role = $2 WHERE email = $1", [email, role]);
}
