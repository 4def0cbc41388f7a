import type { PoolClient } from "pg";
import type { TestHub } from "./hub";

/** Sums of rate limits, last uses and notices of changes are sent after the request, for all requests together. */
const BACKGROUND = /rate_limit|SET last_(used|seen)_at|pg_notify/;

/** Records the statements of requests that reach the database from now on. The returned function returns and forgets them. */
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
      if (!BACKGROUND.test(text)) sent.push(text);
      return query(...values);
    };
    client.query = recordAndQuery as typeof client.query;
  };
  hub.db.pool.on("acquire", recordClient);
  for (const pipeline of [hub.db.ledgerConnection, hub.db.shortReads]) {
    const query = pipeline.query.bind(pipeline);
    pipeline.query = (text, values) => {
      sent.push(text);
      return query(text, values);
    };
  }
  return () => sent.splice(0);
}
