import { expect, test } from "vitest";
import { testDatabase } from "../../test/database";
import { type Queryable, retryStale } from "./client";

const { db } = await testDatabase();
await db.query("CREATE TABLE counter (id int PRIMARY KEY, n int NOT NULL)");
await db.query("INSERT INTO counter VALUES (1, 0), (2, 0)");
const selectWaiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
const add = (tx: Queryable, id: number) => tx.query("UPDATE counter SET n = n + 1 WHERE id = $1", [id]);

test("a transaction that ends a deadlock runs again, and takes effect once", async () => {
  let tries = 0;
  let bothLocked = () => {};
  const locked = new Promise<void>((resolve) => (bothLocked = resolve));
  const run = (first: number, second: number, timeout: string, other?: Promise<unknown>) => {
    let isRepeat = false;
    return db.transaction(async (tx) => {
      // Postgres may give the row to the repeat before it gives it to the transaction that waits, and end that deadlock as well.
      if (isRepeat) await other;
      await tx.query(`SET LOCAL deadlock_timeout = '${timeout}'`);
      await add(tx, first);
      if ((tries += 1) === 2) bothLocked();
      await locked;
      // Postgres looks for a deadlock only once, so the other transaction must already be waiting.
      if (other && !isRepeat) await expect.poll(() => db.query(selectWaiting)).toHaveLength(1);
      isRepeat = true;
      await add(tx, second);
    });
  };
  const patient = run(1, 2, "1min");
  await Promise.all([patient, run(2, 1, "20ms", patient)]);
  expect(tries).toBe(3);
  expect(await db.query("SELECT n FROM counter ORDER BY id")).toEqual([{ n: 2 }, { n: 2 }]);
});

test("what fails for another reason, or twenty times, is not run again", async () => {
  for (const [code, expected] of [
    ["40P01", 20],
    ["40001", 20],
    ["23505", 1],
  ] as const) {
    let tries = 0;
    const fail = () => Promise.reject(Object.assign(new Error(`${(tries += 1)}`), { code }));
    await expect(retryStale(fail)).rejects.toThrow(`${expected}`);
    expect(tries).toBe(expected);
  }
});
