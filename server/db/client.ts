import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../../prisma/client/client";

/** Runs one statement. `bigint` columns arrive as bigint, timestamps as Date, jsonb parsed. */
export interface Queryable {
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface Db extends Queryable {
  /** Plain reads and writes of one row; where one statement must do more, SQL does it. */
  prisma: PrismaClient;
  pool: pg.Pool;
  /** One connection, BEGIN to COMMIT; a throw rolls back. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const INT8: number = pg.types.builtins.INT8;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as never,
};

export function openDb(url: string, size: number): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: "generation-hub",
  });
  // An idle connection that breaks is replaced on the next query; without a listener it would end the process.
  pool.on("error", () => undefined);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    pool,
    prisma,
    query: (text, values) => run(pool, text, values),
    transaction: (work) => inTransaction(pool, work),
    async close() {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

// Statements are prepared once a connection, under a name made from their text.
const names = new Map<string, string>();
function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = `hub_${names.size + 1}`));
  return name;
}

async function run<Row extends object>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const result = await on.query<Row>({ name: nameOf(text), text, values });
  return result.rows;
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work({ query: (text, values) => run(client, text, values) });
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((fault: Error) => (broken = fault));
    throw error;
  } finally {
    client.release(broken);
  }
}
