import pg from "pg";
import type { Queryable } from "../../server/db/client";

/** The engine's own connection: it hears what is sent, and its queries wait behind nobody's. One caller at a time. */
export interface EngineConnection extends Queryable {
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Whether no other engine is connected. */
  isAlone(): Promise<boolean>;
  close(): Promise<void>;
}

export const CHANNEL = "engine";

// Any number will do; engines that share a database must mean the same one.
const ENGINES = 7_203_115;

/** Opens the line on first use, and again on the next after it was lost. */
export function openEngineConnection(
  url: string,
  onNotice: () => void,
  onLost: (error: Error) => void,
): EngineConnection {
  let current: Promise<pg.Client> | null = null;
  let closed = false;

  const connect = (): Promise<pg.Client> => {
    if (closed) return Promise.reject(new Error("the engine's connection is closed"));
    if (current) return current;
    const client = new pg.Client({ connectionString: url, application_name: "generation-hub engine", keepAlive: true });
    const lose = (error: Error) => {
      if (current !== connected) return;
      current = null;
      if (!closed) onLost(error);
    };
    const connected = open(client).catch((error: Error) => {
      lose(error);
      void client.end().catch(() => undefined);
      throw error;
    });
    client.on("notification", onNotice);
    client.on("error", lose);
    client.on("end", () => lose(new Error("the engine's connection ended")));
    return (current = connected);
  };
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await (await connect()).query<Row>({ name: nameOf(text), text, values })).rows;

  return {
    query,
    async transaction(work) {
      await query("BEGIN");
      try {
        const result = await work();
        await query("COMMIT");
        return result;
      } catch (error) {
        await query("ROLLBACK").catch(() => undefined);
        throw error;
      }
    },
    isAlone: async () => (await query<{ alone: boolean }>(alone, [ENGINES]))[0]!.alone,
    async close() {
      const open = current;
      closed = true;
      await (await open?.catch(() => null))?.end();
    },
  };
}

async function open(client: pg.Client): Promise<pg.Client> {
  await client.connect();
  // Plans are made once, often while tables are empty: they must suit a backlog as well.
  await client.query("SET enable_seqscan = off; SET jit = off");
  // Held as long as the connection lives, so that an engine that starts can tell whether others do.
  await client.query(`SELECT pg_advisory_lock_shared(${ENGINES})`);
  await client.query(`LISTEN ${CHANNEL}`);
  return client;
}

const names = new Map<string, string>();
function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = `engine_${names.size + 1}`));
  return name;
}

const alone = `
  SELECT NOT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND pid <> pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS alone`;
