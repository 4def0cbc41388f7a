import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { type Db, openDb } from "../server/db/client";
import { withClient } from "./cluster";

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
  await admin(server, `CREATE DATABASE ${name} ${template}`);
  afterAll(() => admin(server, `DROP DATABASE ${name} WITH (FORCE)`));
  return `${server}/${name}`;
}

const admin = (server: string, statement: string) =>
  withClient(`${server}/postgres`, (client) => client.query(statement));
