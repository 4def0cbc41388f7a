import pg from "pg";
import { type Queryable, retryStale } from "../../server/db/client";
import { bool, oid } from "../../server/db/column-types";
import { answerOrEnd, lastingConnection } from "../../server/db/lasting-connection";
import { setTimeZoneSql } from "../../server/db/pipeline";
import { statement } from "../../server/db/statement";
import { inTransaction } from "../../server/db/transaction";

/** The engine's dedicated connection, which also receives notifications. For one caller at a time. */
export interface EngineConnection extends Queryable {
  /** Runs `work` between BEGIN and COMMIT; rolls back when it throws. Runs `work` again after a deadlock. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Returns whether no other engine is connected to this database. */
  isAlone(): Promise<boolean>;
  close(): Promise<void>;
}

export const ENGINE_CHANNEL = "engine";

// An arbitrary number, which all engines on a database share.
const ENGINE_LOCK = 7_203_115;

/**
 * Returns a connection that opens with its first query, and again with the next one after it was lost. `onNews` is
 * called for each notification, and with the error when the connection is lost, since notifications may be missed then.
 */
export function openEngineConnection(
  url: string,
  onNews: (lostBy?: Error) => void,
  answerTimeoutMs?: number,
): EngineConnection {
  let current: Promise<pg.Client> | null = null;
  let isClosed = false;

  const connect = (): Promise<pg.Client> => {
    if (isClosed) return Promise.reject(new Error("the engine's connection is closed"));
    if (current) return current;
    const client = new pg.Client({
      connectionString: url,
      application_name: "generation-hub engine",
      ...lastingConnection(answerTimeoutMs),
    });
    const onEnd = (error: Error) => {
      if (current !== connected) return;
      current = null;
      if (!isClosed) onNews(error);
    };
    const connected = openClient(client).catch((error: Error) => {
      onEnd(error);
      void client.end().catch(() => undefined);
      throw error;
    });
    client.on("notification", () => onNews());
    client.on("error", onEnd);
    client.on("end", () => onEnd(new Error("the engine's connection ended")));
    return (current = connected);
  };
  const runStatement = async <Row extends object>(text: string, values: unknown[] = []) => {
    const client = await connect();
    return (await answerOrEnd(client, client.query<Row>({ name: nameStatement(text), text, values }))).rows;
  };
  const query: Queryable["query"] = (text, values) => retryStale(() => runStatement(text, values));

  return {
    query,
    transaction: (work) => retryStale(() => inTransaction(runStatement, () => work({ query: runStatement }))),
    isAlone: async () => (await selectIsAlone({ query }, ENGINE_LOCK))[0]!.is_alone,
    async close() {
      const opened = current;
      isClosed = true;
      await (await opened?.catch(() => null))?.end();
    },
  };
}

async function openClient(client: pg.Client): Promise<pg.Client> {
  await client.connect();
  // Plans are made once, often on empty tables, and must suit a backlog as well.
  await client.query(`${setTimeZoneSql}; SET enable_seqscan = off; SET jit = off`);
  // Postgres holds the lock as long as the connection is open, so that a starting engine knows whether it is alone.
  await client.query(`SELECT pg_advisory_lock_shared(${ENGINE_LOCK})`);
  await client.query(`LISTEN ${ENGINE_CHANNEL}`);
  return client;
}

// Statements are prepared once per connection, under a name derived from their text.
const names = new Map<string, string>();
function nameStatement(text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = `engine_${names.size + 1}`));
  return name;
}

const selectIsAlone = statement({
  params: [oid],
  row: { is_alone: bool },
  text: `
  SELECT NOT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND pid <> pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS is_alone`,
});
