import type { PoolClient } from "pg";
import type { TestHub } from "./hub";

/** Counts the statements that reach the database from now on, whoever sends them. */
export function countStatements(hub: TestHub): () => string[] {
  const sent: string[] = [];
  const watched = new WeakSet<PoolClient>();
  const watch = (client: PoolClient) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...values: unknown[]) => unknown;
    const note = (...values: unknown[]) => {
      const [asked] = values as [string | { text: string }];
      sent.push(typeof asked === "string" ? asked : asked.text);
      return query(...values);
    };
    client.query = note as typeof client.query;
  };
  hub.db.pool.on("acquire", watch);
  const { ledgerConnection: money } = hub.db;
  const query = money.query.bind(money);
  money.query = (text, values) => {
    sent.push(text);
    return query(text, values);
  };
  return () => sent.splice(0);
}
