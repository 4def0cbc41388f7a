import type pg from "pg";

/** What Postgres says of a statement: the types of its parameters and its columns, by their OIDs. */
export interface Description {
  params: number[];
  columns: { name: string; dataTypeID: number; tableID: number; columnID: number }[];
}

/** Parses and analyzes a statement on the connection, without running it. */
export function describeStatement(client: pg.Client, text: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    const description: Description = { params: [], columns: [] };
    const onParams = ({ dataTypeIDs }: { dataTypeIDs: number[] }) => (description.params = dataTypeIDs);
    const { connection } = client as unknown as { connection: Connection };
    client.query({
      submit() {
        connection.once("parameterDescription", onParams);
        connection.parse({ text });
        connection.describe({ type: "S" });
        connection.sync();
      },
      handleRowDescription: ({ fields }: { fields: Description["columns"] }) => (description.columns = fields),
      // The client calls nothing else after an error.
      handleError(error: Error) {
        connection.removeListener("parameterDescription", onParams);
        reject(new Error(`${error.message}: ${text}`));
      },
      handleReadyForQuery: () => resolve(description),
    } as unknown as pg.Submittable);
  });
}

/** The part of pg's connection that sends messages of the extended protocol. */
interface Connection {
  once(event: string, listener: (message: never) => void): void;
  removeListener(event: string, listener: (message: never) => void): void;
  parse(message: { text: string }): void;
  describe(message: { type: "S" }): void;
  sync(): void;
}
