import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../../prisma/client/client";
import { keepPlans } from "./keep-plans";
import { openPipeline, openPipelines } from "./pipeline";
import { retryStale } from "./retry-stale";
import { inTransaction } from "./transaction";

/** Runs one statement. `bigint` columns arrive as bigint, timestamps as Date, jsonb parsed. */
export interface Queryable {
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Statements on any connection of the pool. */
export interface Db extends Queryable {
  pool: pg.Pool;
  /** Plain reads and writes of one row; where one statement must do more, SQL does it. */
  prisma: PrismaClient;
  /** One connection for what moves money and takes turns: its plans and pages are at hand, and it waits for no other. */
  ledgerConnection: Queryable;
  /**
   * Two connections for reads that take a millisecond or two, whatever the history is. Statements are sent without waiting
   * for those before, which costs less than waking a connection of the pool for each (decision 79).
   */
  shortReads: Queryable;
  /** One connection, BEGIN to COMMIT; a throw rolls back. Runs `work` again when a snapshot was too old. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const INT8: number = pg.types.builtins.INT8;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as never,
};

const SHORT_READ_CONNECTIONS = 2;

/** Opens at most `size` connections, one of them for money, and those for short reads, each when it is first needed. */
export function openDb(url: string, size: number): Db {
  const config = {
    connectionString: url,
    types,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: "generation-hub",
  };
  // The pool waits for its promise, which pg's types do not say.
  const onConnect: (client: pg.ClientBase) => unknown = keepPlans;
  const pool = new pg.Pool({ ...config, max: size - 1, onConnect });
  // A connection that breaks is replaced on the next query. Without listeners it would end the process, whether it is
  // idle then or somebody's between two statements.
  pool.on("error", () => undefined).on("connect", (client) => client.on("error", () => undefined));
  const ledgerPipeline = openPipeline(config);
  const shortReads = openPipelines(config, SHORT_READ_CONNECTIONS);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    pool,
    prisma,
    ledgerConnection: { query: (text, values) => retryStale(() => runStatement(ledgerPipeline, text, values)) },
    shortReads: { query: (text, values) => runStatement(shortReads, text, values) },
    query: (text, values) => runStatement(pool, text, values),
    transaction: (work) => retryStale(() => runTransaction(pool, work)),
    async close() {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
      await Promise.all([ledgerPipeline.close(), shortReads.close()]);
    },
  };
}

// Statements are prepared once a connection, under a name made from their text.
const names = new Map<string, string>();
function nameStatement(text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = `hub_${names.size + 1}`));
  return name;
}

interface Connection {
  query(statement: pg.QueryConfig): Promise<{ rows: unknown[] }>;
}

async function runStatement<Row extends object>(on: Connection, text: string, values: unknown[] = []): Promise<Row[]> {
  const { rows } = await on.query({ name: nameStatement(text), text, values });
  return rows as Row[];
}

async function runTransaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let connectionError: Error | undefined;
  const tx: Queryable = { query: (text, values) => runStatement(client, text, values) };
  try {
    return await inTransaction(
      (text) => client.query(text),
      () => work(tx),
      (error) => (connectionError = error),
    );
  } finally {
    client.release(connectionError);
  }
}
