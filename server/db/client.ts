import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../../prisma/client/client";
import { openPipeline, openPipelines, prepareSession } from "./pipeline";
import { answerOrEnd, lastingConnection, LONG_ANSWER_TIMEOUT_MS } from "./lasting-connection";
import { inTransaction } from "./transaction";
import { isDeadlock, isSnapshotStale } from "./violation";

export interface Queryable {
  /**
   * Runs one statement. `bigint` columns arrive as bigint, timestamps as Date, jsonb parsed. Fails when Postgres does
   * not answer within 30 seconds, or an hour if the statement is a long one; whether it took effect is unknown then.
   * Runs the statement again when Postgres rolled it back for a deadlock.
   */
  query<Row extends object>(text: string, values?: unknown[], options?: { isLong?: boolean }): Promise<Row[]>;
}

/** The database. Its own `query` uses any connection of the pool. */
export interface Db extends Queryable {
  pool: pg.Pool;
  /** Plain reads and writes of one row; where one statement must do more, SQL does it. */
  prisma: PrismaClient;
  /** One connection for ledger writes, which run one by one: its plans and pages are cached, and it is never shared. */
  ledgerConnection: Queryable;
  /**
   * Two connections for reads that take a millisecond or two, however long the history is. Statements are sent without
   * waiting for earlier ones, which costs less than waking a connection of the pool for each (decision 79).
   */
  shortReads: Queryable;
  /**
   * One connection, BEGIN to COMMIT; a throw rolls back. Runs `work` again after a deadlock, or when a snapshot was too
   * old.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const INT8: number = pg.types.builtins.INT8;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as never,
};

const SHORT_READ_CONNECTIONS = 2;

/**
 * Opens at most `size` connections, one of them for ledger writes, and in addition those for short reads, each when it
 * is first needed.
 */
export function openDb(url: string, size: number, answerTimeoutMs?: number): Db {
  const config = {
    connectionString: url,
    types,
    application_name: "generation-hub",
    ...lastingConnection(answerTimeoutMs),
  };
  // The pool awaits its promise, although pg's types do not say so.
  const onConnect: (client: pg.ClientBase) => unknown = prepareSession;
  const pool = new pg.Pool({ ...config, max: size - 1, onConnect });
  // A connection that breaks is replaced on the next query. Without listeners its error would end the process, whether
  // it is idle or in use between two statements.
  pool.on("error", () => undefined).on("connect", (client) => client.on("error", () => undefined));
  const ledgerPipeline = openPipeline(config);
  const shortReads = openPipelines(config, SHORT_READ_CONNECTIONS);
  let prisma: PrismaClient | undefined;
  return {
    pool,
    // Created when it is first used, which few commands do, because reading its description of the tables takes 15 ms.
    get prisma() {
      return (prisma ??= new PrismaClient({ adapter: new PrismaPg(pool) }));
    },
    ledgerConnection: { query: (...query) => retryStale(() => runStatement(ledgerPipeline, ...query)) },
    shortReads: { query: (...query) => runStatement(shortReads, ...query) },
    query: (...query) => retryStale(() => runStatement(pool, ...query)),
    transaction: (work) => retryStale(() => runTransaction(pool, work)),
    async close() {
      await prisma?.$disconnect();
      if (!pool.ended) await pool.end();
      await Promise.all([ledgerPipeline.close(), shortReads.close()]);
    },
  };
}

// Statements are prepared once per connection, under a name derived from their text.
const names = new Map<string, string>();
function nameStatement(text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = `hub_${names.size + 1}`));
  return name;
}

/** A statement that may have its own time-out instead of the connection's. */
type TimedStatement = pg.QueryConfig & { query_timeout?: number };

interface Connection {
  query(statement: TimedStatement): Promise<{ rows: unknown[] }>;
}

async function runStatement<Row extends object>(
  on: Connection,
  text: string,
  values: unknown[] = [],
  { isLong = false } = {},
): Promise<Row[]> {
  const statement: TimedStatement = { name: nameStatement(text), text, values };
  if (isLong) statement.query_timeout = LONG_ANSWER_TIMEOUT_MS;
  const { rows } = await on.query(statement);
  return rows as Row[];
}

async function runTransaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const pooled = await pool.connect();
  // The pool's clients are complete ones, although its types do not say so.
  const client = pooled as pg.PoolClient & pg.Client;
  const on = { query: (statement: TimedStatement) => answerOrEnd(client, client.query(statement)) };
  let connectionError: Error | undefined;
  try {
    return await inTransaction(
      (text) => on.query({ text }),
      () => work({ query: (...query) => runStatement(on, ...query) }),
      (error) => (connectionError = error),
    );
  } finally {
    client.release(connectionError);
  }
}

/** Each failed try means that another statement has succeeded, so only constant changes of limits come near this. */
const MAX_TRIES = 20;

/**
 * Runs a statement or transaction again when Postgres rolled it back because its snapshot was too old, or to end a deadlock.
 * Statements that move money have an old snapshot when a key's limit is changed while they wait for the account's lock (decision
 * 36). Nothing of a failed try is stored, so `work` must do nothing outside the database that may not be repeated.
 */
export async function retryStale<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !(isSnapshotStale(error) || isDeadlock(error))) throw error;
    }
  }
}
