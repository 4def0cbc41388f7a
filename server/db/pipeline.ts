import pg from "pg";

export interface Pipeline {
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>;
  close(): Promise<void>;
}

/**
 * Returns one connection on which a statement is sent without waiting for the one before. Statements run one by one,
 * each with its own commit. The connection opens with the first statement, and again after it was lost.
 */
export function openPipeline(config: pg.ClientConfig): Pipeline {
  let connection: Promise<pg.Client> | undefined;
  let closed = false;

  const connect = () => {
    const client = new pg.Client({ ...config, pipeline: true });
    const connected = client
      .connect()
      .then(() => prepareSession(client))
      .then(() => client);
    const forget = () => {
      if (connection === connected) connection = undefined;
    };
    connected.catch(forget);
    client.on("error", forget).once("end", forget);
    return connected;
  };

  return {
    async query(statement) {
      if (closed) throw new Error("the connection is closed");
      const client = await (connection ??= connect());
      return client.query(statement);
    },
    async close() {
      closed = true;
      const client = await connection?.catch(() => undefined);
      await client?.end();
    },
  };
}

/** Opens `count` pipelines: each statement is sent on the connection with the fewest in flight. */
export function openPipelines(config: pg.ClientConfig, count: number): Pipeline {
  const all = Array.from({ length: count }, () => ({ pipeline: openPipeline(config), underWay: 0 }));
  return {
    async query(statement) {
      const chosen = all.reduce((best, other) => (other.underWay < best.underWay ? other : best));
      chosen.underWay += 1;
      try {
        return await chosen.pipeline.query(statement);
      } finally {
        chosen.underWay -= 1;
      }
    },
    async close() {
      await Promise.all(all.map(({ pipeline }) => pipeline.close()));
    },
  };
}

/**
 * SQL that makes a connection work in UTC: statements add days to times, and Prisma reads and writes every time without its
 * zone, as one in UTC. The default is the time zone of the database, often that of its machine.
 */
export const setTimeZoneSql = "SET TimeZone = 'UTC'";

/**
 * Makes a new connection that runs the hub's statements work in UTC and plan each statement once, without its values: in the
 * plan that the tests check. Postgres would otherwise plan many pages anew for each request, which takes longer than reading
 * them (decision 78). Both are not set by parameters of the connection, because PgBouncer rejects those.
 */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(`${setTimeZoneSql}; SET plan_cache_mode = force_generic_plan`);
}
