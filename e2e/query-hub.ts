import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { databaseUrl } from "../server/db/embedded/enter-cluster";
import { findPostmaster } from "../server/db/embedded/postmaster";

/** Runs a statement on the embedded database of the hub with this data folder. */
export async function queryHub<Row extends object>(
  dataDir: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { port } = (await findPostmaster(path.join(dataDir, "postgres", "data")))!;
  const password = await readFile(path.join(dataDir, "postgres.password"), "utf8");
  const client = new pg.Client({ connectionString: databaseUrl(port, password) });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
