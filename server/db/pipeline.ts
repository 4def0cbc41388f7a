import pg from "pg";

export interface Pipeline {
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>;
  close(): Promise<void>;
}

/**
 * Returns one connection on which a statement is sent without waiting for the one before. Statements run one by one, each
 * with its own commit. The connection opens with the first statement, and again after it was lost.
 */
export function openPipeline(config: pg.ClientConfig): Pipeline {
  let connection: Promise<pg.Client> | undefined;
  let closed = false;

  const connect = () => {
    const client = new pg.Client({ ...config, pipeline: true });
    const connected = client.connect().then(() => client);
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
