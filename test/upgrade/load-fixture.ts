import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { applyMigrations, readMigrations } from "../../server/db/migrate";
import { withClient } from "../cluster";
import { type Fixture, PLACEHOLDER_RECEIVER } from "./fixture";

interface Target {
  databaseUrl: string;
  dataDir: string;
  /** The host and port to which the fixture's webhook endpoint moves. */
  receiver: string;
}

const AGE_MS = 5 * 60_000;

/**
 * Loads a fixture into an empty database and an empty data folder, as if its hub had been killed five minutes ago.
 * Returns the fixture and the milliseconds by which its times moved.
 */
export async function loadFixture(commit: string, { databaseUrl, dataDir, receiver }: Target) {
  const folder = path.join(import.meta.dirname, commit);
  const fixture = JSON.parse(await readFile(path.join(folder, "fixture.json"), "utf8")) as Fixture;
  const rows = await readFile(path.join(folder, "database.sql"), "utf8");
  const shiftMs = Date.now() - AGE_MS - Date.parse(fixture.capturedAt);
  await withClient(databaseUrl, async (client) => {
    const migrations = await readMigrations("prisma/migrations");
    await applyMigrations(
      client,
      migrations.filter(({ name }) => fixture.migrations.includes(name)),
    );
    // Triggers and references would act on rows that are complete as they are.
    await client.query("SET session_replication_role = replica");
    await client.query(rows.replaceAll(PLACEHOLDER_RECEIVER, receiver));
    const { rows: columns } = await client.query<{ statement: string }>(shiftSql);
    for (const { statement } of columns) await client.query(statement, [shiftMs / 1000]);
  });
  const files = JSON.parse(await readFile(path.join(folder, "files.json"), "utf8")) as Record<string, string>;
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.join(dataDir, path.dirname(name)), { recursive: true });
    await writeFile(path.join(dataDir, name), content, "base64");
  }
  return { ...fixture, shiftMs };
}

// What never expires has a time in the year 9999.
const shiftSql = `
  SELECT format('UPDATE %I.%I SET %s', table_schema, table_name, string_agg(format(
           '%1$I = CASE WHEN %1$I < ''9000-01-01'' THEN %1$I + $1 * interval ''1 second'' ELSE %1$I END', column_name), ', ')) AS statement
  FROM information_schema.columns
  WHERE table_schema IN ('public', 'engine') AND data_type = 'timestamp with time zone' AND table_name <> '_prisma_migrations'
  GROUP BY table_schema, table_name`;
