import { afterEach, expect, test } from "vitest";
import { testDatabase } from "../../test/database";
import { openPipeline, openPipelines, type Pipeline } from "./pipeline";

let pipeline: Pipeline | undefined;
afterEach(() => pipeline?.close());

async function open() {
  const { db, url } = await testDatabase();
  const pipelineLine = (pipeline = openPipeline({ connectionString: url, application_name: "pipeline" }));
  const ask = async (text: string) => (await pipelineLine.query({ text })).rows as object[];
  const connections = () => db.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'pipeline' AND datname = current_database()"); // prettier-ignore
  return { db, ask, connections };
}

test("runs concurrently sent statements one by one, each in its own commit", async () => {
  const { db, ask, connections } = await open();
  await ask("CREATE TABLE n (n int PRIMARY KEY, transaction xid8 DEFAULT pg_current_xact_id())");
  const insert = (n: number) => ask(`INSERT INTO n VALUES (${n})`);
  const ends = await Promise.allSettled([insert(1), insert(2), insert(1), insert(3)]);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  const [failures] = await db.query(
    "SELECT array_agg(n ORDER BY transaction) AS n, count(DISTINCT transaction) FROM n",
  );
  expect(failures).toEqual({ n: [1, 2, 3], count: 3n });
  expect(await connections()).toHaveLength(1);
});

test("a lost connection fails its statements and is replaced by another", async () => {
  const { db, ask, connections } = await open();
  await ask("SELECT 1");
  const sent = Promise.allSettled([ask("SELECT pg_sleep(60)"), ask("SELECT 2")]);
  const [pipelineLine] = (await connections()) as { pid: number }[];
  await db.query("SELECT pg_terminate_backend($1)", [pipelineLine!.pid]);
  // Statements sent before that may still use the lost connection.
  await expect.poll(() => ask("SELECT 3 AS n").catch(() => "lost")).toEqual([{ n: 3 }]);
  expect((await sent).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("SELECT 4 AS n")).toEqual([{ n: 4 }]);
  expect(await connections()).toHaveLength(1);
});

test("rejects each statement if nothing listens, and sends none after its end", async () => {
  pipeline = openPipeline({ host: "127.0.0.1", port: 1 });
  const ask = () => pipeline!.query({ text: "SELECT 1" });
  for (let times = 0; times < 2; times += 1) await expect(ask()).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await pipeline.close();
  await expect(ask()).rejects.toThrow("closed");
});

test("several are used as one: a statement goes where the fewest are under way", async () => {
  const { db, url } = await testDatabase();
  pipeline = openPipelines({ connectionString: url, application_name: "pipelines" }, 2);
  const ask = async (text: string) => (await pipeline!.query({ text })).rows as { n: number }[];
  const slow = ask("SELECT 1 AS n FROM pg_sleep(60)");
  const passed: { n: number }[] = [];
  for (let n = 2; n < 5; n += 1) passed.push(...(await ask(`SELECT ${n} AS n`)));
  expect(passed).toEqual([{ n: 2 }, { n: 3 }, { n: 4 }]);
  // On a busy machine it may begin later than the others end.
  const findSleeping = () =>
    db.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
  await expect.poll(findSleeping).toHaveLength(1);
  const [sleeping] = await findSleeping();
  // It is rejected before the termination is confirmed.
  const ended = expect(slow).rejects.toThrow();
  await db.query("SELECT pg_terminate_backend($1)", [sleeping!.pid]);
  await ended;
});

test("a connection keeps the plan of a statement that it has prepared", async () => {
  const { ask } = await open();
  expect(await ask("SHOW plan_cache_mode")).toEqual([{ plan_cache_mode: "force_generic_plan" }]);
  const { db } = await testDatabase();
  expect(await db.query("SHOW plan_cache_mode")).toEqual([{ plan_cache_mode: "force_generic_plan" }]);
});
