import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { type Db, openDb } from "../server/db/client";

/** Creates a private, migrated database for the calling suite; it is dropped when the suite ends. */
export async function testDatabase(size = 10): Promise<{ db: Db; url: string }> {
  const url = await createDatabase("TEMPLATE template_hub STRATEGY FILE_COPY");
  const db = openDb(url, size);
  afterAll(() => db.close());
  return { db, url };
}

/**
 * Returns the address of a private, empty database for a program that the calling suite starts; dropped when it ends.
 */
export const emptyDatabase = (): Promise<string> => createDatabase("TEMPLATE template0");

async function createDatabase(template: string): Promise<string> {
  const server = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  admin ??= openAdmin(server);
  const client = await admin;
  await client.query(`CREATE DATABASE ${name} ${template}`);
  afterAll(() => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  return `${server}/${name}`;
}

/** One connection for all suites of a worker, because to open one takes half as long as to create a database. */
let admin: Promise<pg.Client> | undefined;

async function openAdmin(server: string): Promise<pg.Client> {
  const client = new pg.Client(`${server}/postgres`);
  // The cluster may stop before the worker.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
