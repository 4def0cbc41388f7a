import type { PoolClient } from "pg";
import type { TestHub } from "./hub";

/** Records all statements that reach the database from now on. The returned function returns and forgets them. */
export function recordStatements(hub: TestHub): () => string[] {
  const sent: string[] = [];
  const recorded = new WeakSet<PoolClient>();
  const recordClient = (client: PoolClient) => {
    if (recorded.has(client)) return;
    recorded.add(client);
    const query = client.query.bind(client) as (...values: unknown[]) => unknown;
    const recordAndQuery = (...values: unknown[]) => {
      const [statement] = values as [string | { text: string }];
      const text = typeof statement === "string" ? statement : statement.text;
      // Sums of rate limits are shared in the background, for all requests together.
      if (!text.includes("rate_limit")) sent.push(text);
      return query(...values);
    };
    client.query = recordAndQuery as typeof client.query;
  };
  hub.db.pool.on("acquire", recordClient);
  const { ledgerConnection: ledger } = hub.db;
  const query = ledger.query.bind(ledger);
  ledger.query = (text, values) => {
    sent.push(text);
    return query(text, values);
  };
  return () => sent.splice(0);
}
