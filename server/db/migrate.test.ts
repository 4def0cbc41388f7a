import type pg from "pg";
import { describe, expect, test } from "vitest";
import { withClient } from "../../test/cluster";
import { testDatabase } from "../../test/database";
import { applyMigrations, type Migration } from "./migrate";

test("the migrated database opens with both Prisma and plain SQL", async () => {
  const { db } = await testDatabase();
  const [row] = await db.query<{ big: bigint }>("SELECT 9007199254740993::bigint AS big");
  expect(row!.big).toBe(9007199254740993n);
  const account = await db.prisma.account.create({ data: { email: "a@example.org", createdAt: new Date(0) } });
  expect(account.balance).toBe(0n);
});

describe("applying migrations", () => {
  const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: `of ${sql}`.slice(0, 64) });
  const one = migration("30000101000000_one", "CREATE TABLE one (id int)");
  const open = async () => {
    const { url } = await testDatabase();
    return <T>(work: (client: pg.Client) => Promise<T>) => withClient(url, work);
  };

  test("applies each once, even when several hubs start together", async () => {
    const on = await open();
    const applied = await Promise.all([1, 2, 3].map(() => on((client) => applyMigrations(client, [one]))));
    expect(applied.flat()).toEqual([one.name]);
  });

  test("gives way to requests that use its tables in another order", async () => {
    const on = await open();
    await on((client) => client.query("CREATE TABLE a (id int); CREATE TABLE b (id int)"));
    const both = migration(
      "30000102000000_both",
      "ALTER TABLE a ADD COLUMN name text; ALTER TABLE b ADD COLUMN name text",
    );
    await on(async (request) => {
      await request.query("BEGIN; SELECT FROM b");
      const applied = on((client) => applyMigrations(client, [both]));
      const isAltered = `SELECT FROM pg_locks WHERE relation = 'a'::regclass AND mode = 'AccessExclusiveLock' AND granted`;
      await expect.poll(async () => (await request.query(isAltered)).rowCount, { interval: 5 }).toBe(1);
      // The migration waits for b, and this for a.
      await request.query("SELECT FROM a; COMMIT");
      expect(await applied).toEqual([both.name]);
    });
  });

  test("applies a whole migration or nothing, and stops at a failure", async () => {
    const on = await open();
    const broken = migration("30000102000000_two", "CREATE TABLE two (id int); SELECT 1 / 0");
    const last = migration("30000103000000_three", "CREATE TABLE three (id int)");
    await expect(on((client) => applyMigrations(client, [one, broken, last]))).rejects.toThrow(
      `migration ${broken.name} failed: division by zero`,
    );
    const { rows } = await on((client) =>
      client.query("SELECT to_regclass('one') AS one, to_regclass('two') AS two, to_regclass('three') AS three"),
    );
    expect(rows).toEqual([{ one: "one", two: null, three: null }]);
    const fixed = migration(broken.name, "CREATE TABLE two (id int)");
    expect(await on((client) => applyMigrations(client, [one, fixed, last]))).toEqual([fixed.name, last.name]);
  });

  const index = migration("30000104000000_index", "-- Why.\nCREATE UNIQUE INDEX CONCURRENTLY one_by_id ON one (id);\n");
  const findIndex = (client: pg.Client) =>
    client.query<{ indisvalid: boolean }>(
      "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('one_by_id')",
    );

  test("builds an index while others write, however many hubs start together", async () => {
    const on = await open();
    await on((client) => applyMigrations(client, [one]));
    const building = await on(async (writer) => {
      await writer.query("BEGIN; INSERT INTO one VALUES (1)");
      // The build waits for the open transaction, and nobody waits for the build.
      const hubs = Promise.all([1, 2, 3].map(() => on((client) => applyMigrations(client, [one, index]))));
      await on((client) =>
        expect.poll(async () => (await findIndex(client)).rows, { interval: 20 }).toEqual([{ indisvalid: false }]),
      );
      await on((client) => client.query("INSERT INTO one VALUES (2)"));
      await writer.query("COMMIT");
      return hubs;
    });
    expect(building.flat()).toEqual([index.name]);
    expect((await on(findIndex)).rows).toEqual([{ indisvalid: true }]);
  });

  test("drops an index while others write", async () => {
    const on = await open();
    await on((client) => applyMigrations(client, [one, index]));
    const drop = migration("30000105000000_drop", "DROP INDEX CONCURRENTLY IF EXISTS one_by_id;");
    const dropping = await on(async (writer) => {
      await writer.query("BEGIN; INSERT INTO one VALUES (1)");
      const hub = on((client) => applyMigrations(client, [one, index, drop]));
      const isDropping = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DROP INDEX%'`;
      await on((client) =>
        expect.poll(async () => (await client.query(isDropping)).rowCount, { interval: 20 }).toBe(1),
      );
      await on((client) => client.query("INSERT INTO one VALUES (2)"));
      await writer.query("COMMIT");
      return hub;
    });
    expect(dropping).toEqual([drop.name]);
    expect((await on(findIndex)).rows).toEqual([]);
  });

  test("builds an index again whose build failed", async () => {
    const on = await open();
    await on((client) => applyMigrations(client, [one]));
    await on((client) => client.query("INSERT INTO one VALUES (1), (1)"));
    await expect(on((client) => applyMigrations(client, [one, index]))).rejects.toThrow(
      `migration ${index.name} failed: could not create unique index`,
    );
    expect((await on(findIndex)).rows).toEqual([{ indisvalid: false }]);
    await on((client) => client.query("DELETE FROM one"));
    expect(await on((client) => applyMigrations(client, [one, index]))).toEqual([index.name]);
    expect((await on(findIndex)).rows).toEqual([{ indisvalid: true }]);
  });

  test("rejects a database in which a migration was changed", async () => {
    const on = await open();
    await on((client) => applyMigrations(client, [one]));
    const changed = migration(one.name, "CREATE TABLE one (id bigint)");
    await expect(on((client) => applyMigrations(client, [changed]))).rejects.toMatchObject({ name: "OperatorError" });
  });
});
