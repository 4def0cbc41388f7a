import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { type Db, openDb } from "../server/db/client";
import { withClient } from "./cluster";

/** A private, migrated database for the calling suite; dropped when it ends. */
export async function testDatabase(size = 10): Promise<{ db: Db; url: string }> {
  const server = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await admin(server, `CREATE DATABASE ${name} TEMPLATE template_hub STRATEGY FILE_COPY`);
  const url = `${server}/${name}`;
  const db = openDb(url, size);
  afterAll(async () => {
    await db.close();
    await admin(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { db, url };
}

const admin = (server: string, statement: string) =>
  withClient(`${server}/postgres`, (client) => client.query(statement));
