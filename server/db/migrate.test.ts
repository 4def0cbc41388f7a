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
  const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: `of ${sql}` });
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

  test("rejects a database in which a migration was changed", async () => {
    const on = await open();
    await on((client) => applyMigrations(client, [one]));
    const changed = migration(one.name, "CREATE TABLE one (id bigint)");
    await expect(on((client) => applyMigrations(client, [changed]))).rejects.toMatchObject({ name: "OperatorError" });
  });
});
