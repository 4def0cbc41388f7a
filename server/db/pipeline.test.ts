import { afterEach, expect, test } from "vitest";
import { testDatabase } from "../../test/database";
import { openPipeline, type Pipeline } from "./pipeline";

let pipeline: Pipeline | undefined;
afterEach(() => pipeline?.close());

async function open() {
  const { db, url } = await testDatabase();
  const line = (pipeline = openPipeline({ connectionString: url, application_name: "pipeline" }));
  const ask = async (text: string) => (await line.query({ text })).rows as object[];
  const connections = () => db.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'pipeline' AND datname = current_database()"); // prettier-ignore
  return { db, ask, connections };
}

test("statements that are sent at once run one by one, each with a commit of its own", async () => {
  const { db, ask, connections } = await open();
  await ask("CREATE TABLE n (n int PRIMARY KEY, transaction xid8 DEFAULT pg_current_xact_id())");
  const insert = (n: number) => ask(`INSERT INTO n VALUES (${n})`);
  const ends = await Promise.allSettled([insert(1), insert(2), insert(1), insert(3)]);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  const [told] = await db.query("SELECT array_agg(n ORDER BY transaction) AS n, count(DISTINCT transaction) FROM n");
  expect(told).toEqual({ n: [1, 2, 3], count: 3n });
  expect(await connections()).toHaveLength(1);
});

test("a lost connection fails what was on it, and one other takes its place", async () => {
  const { db, ask, connections } = await open();
  await ask("SELECT 1");
  const sent = Promise.allSettled([ask("SELECT pg_sleep(60)"), ask("SELECT 2")]);
  const [line] = (await connections()) as { pid: number }[];
  await db.query("SELECT pg_terminate_backend($1)", [line!.pid]);
  // What is asked in between may still find the old one.
  await expect.poll(() => ask("SELECT 3 AS n").catch(() => "lost")).toEqual([{ n: 3 }]);
  expect((await sent).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("SELECT 4 AS n")).toEqual([{ n: 4 }]);
  expect(await connections()).toHaveLength(1);
});

test("where nothing listens each statement says so; after its end none is sent", async () => {
  pipeline = openPipeline({ host: "127.0.0.1", port: 1 });
  const ask = () => pipeline!.query({ text: "SELECT 1" });
  for (let times = 0; times < 2; times += 1) await expect(ask()).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await pipeline.close();
  await expect(ask()).rejects.toThrow("closed");
});
