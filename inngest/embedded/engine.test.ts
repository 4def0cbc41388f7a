import pino from "pino";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../contract/bench";
import { type Data, type EmbeddedBench, embeddedBench } from "../contract/embedded-bench";
import { createEmbeddedEngine } from "./engine";
import { embeddedFetch } from "./fetch";
import { listJobs, retryRun } from "./jobs";

let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await embeddedBench();
});
afterEach(() => bench.halt());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const runs = () => listJobs(bench.db, { limit: 1_000 });

test("a function with an unsupported option is rejected when it registers", async () => {
  const rejected: [Parameters<EmbeddedBench["oneStepFunction"]>[2], RegExp][] = [
    [{ throttle: { limit: 1, period: "1s" } }, /throttle/],
    [{ batchEvents: { maxSize: 2, timeout: "1s" } }, /batchEvents/],
    [{ priority: { run: "1" } }, /priority/],
    [{ idempotency: "event.data.id" }, /idempotency/],
    [{ concurrency: [{ key: "event.data.id + '-x'", limit: 1 }] }, /only equalities/],
    [{ concurrency: [{ limit: 1 }, { key: "event.data.id", limit: 1 }] }, /concurrency/],
    [{ concurrency: [{ scope: "account", key: "event.data.id", limit: 1 }] }, /concurrency/],
    [{ cancelOn: [{ event: "x", if: "async.data.n > 3" }] }, /only equalities/],
    [{ cancelOn: [{ event: "x", timeout: "1h" }] }, /timeout/],
    [{ triggers: [{ event: "x", if: "event.data.n == 3" }] }, /expression/],
    [{ onFailure: () => undefined }, /expression/],
    [{ triggers: [{ cron: "TZ=Europe/Berlin 0 0 * * *" }] }, /5-part/],
  ];
  for (const [options, reason] of rejected) {
    const engine = bench.createEngine([bench.oneStepFunction("rejected", () => null, options)]);
    await expect(engine.start()).rejects.toThrow(reason);
  }
});

test("an operation that the engine does not support fails its run", async () => {
  const target = bench.oneStepFunction("target", () => null);
  const invokes = bench.inngest.createFunction(
    { id: "invokes", triggers: [{ event: "invokes/asked" }] },
    async ({ step }) => step.invoke("call", { function: target, data: {} }),
  );
  await bench.serve([invokes, target]);
  await bench.send("invokes/asked", {});
  await until(async () => (await listJobs(bench.db, { failed: true, limit: 1 })).length === 1);
  const [failed] = await listJobs(bench.db, { failed: true, limit: 1 });
  expect(failed).toMatchObject({ status: "failed", error: "InvokeFunction is not supported by the embedded engine" });
});

test("a schedule starts one run for each time, and skips times at which no engine ran", async () => {
  const ran: string[] = [];
  const scheduled = bench.oneStepFunction("scheduled", ({ cron }) => ran.push(cron), {
    triggers: [{ cron: "0 3 * * *" }],
  });
  await bench.serve([scheduled]);
  await bench.createEngine([scheduled]).start();
  for (let day = 1; day <= 2; day += 1) {
    await bench.advance(24 * 3_600_000);
    await until(() => ran.length >= day);
    await bench.settle();
  }
  expect(ran).toEqual(["0 3 * * *", "0 3 * * *"]);
});

test("a schedule goes on at once after the clock went back, also through times at which it ran before", async () => {
  let runs = 0;
  const scheduled = bench.oneStepFunction("minutely", () => (runs += 1), { triggers: [{ cron: "* * * * *" }] });
  await bench.serve([scheduled]);
  const pass = async (ms: number) => {
    const before = runs;
    await bench.advance(ms);
    await until(() => runs > before);
    await bench.settle();
  };
  for (let minute = 1; minute <= 5; minute += 1) await pass(60_000);
  const goBack = async (ms: number) => {
    await bench.advance(-ms);
    const isAhead = () => bench.db.query("SELECT FROM engine.processed_event WHERE processed_at > $1", [bench.now()]);
    await until(async () => (await isAhead()).length === 0);
  };
  await goBack(5 * 60_000);
  for (let minute = 1; minute <= 5; minute += 1) await pass(60_000);
  // By less than the time between two purges.
  await goBack(50_000);
  await pass(60_000);
});

test("a schedule starts one run for each time if the clocks of two engines differ by seconds", async () => {
  const DAY_MS = 24 * 3_600_000;
  const ran: string[] = [];
  const scheduled = bench.oneStepFunction("scheduled", ({ cron }) => ran.push(cron), {
    triggers: [{ cron: "0 3 * * *" }],
  });
  await bench.serve([scheduled]);
  let [behindMs, ticks] = [0, 0];
  const engine = createEmbeddedEngine({
    listenUrl: bench.url,
    inngest: bench.inngest,
    functions: [scheduled],
    log: pino({ level: "silent" }),
    now: () => new Date(bench.now().getTime() - behindMs),
    slots: 16,
    onTick: () => (ticks += 1),
  });
  onTestFinished(() => engine.stop(1_000));
  await engine.start();
  const advancing = bench.advance(DAY_MS);
  behindMs = DAY_MS;
  await advancing;
  await until(() => ran.length === 1);
  await bench.settle();
  behindMs = 5_000;
  const before = ticks;
  // The tick that is under way may have begun before.
  await until(async () => {
    await bench.advance(0);
    return ticks > before + 1;
  });
  await bench.settle();
  expect(ran).toEqual(["0 3 * * *"]);
});

test("retries wait longer each time", async () => {
  const tries: number[] = [];
  await bench.serve([
    bench.oneStepFunction(
      "backoff",
      () => {
        tries.push(tries.length);
        throw new Error("again");
      },
      { retries: 3 },
    ),
  ]);
  await bench.send("backoff/asked", {});
  for (const [retries, seconds] of [1, 2, 4].entries()) {
    await until(
      () => tries.length === retries + 1,
      () => [retries, tries],
    );
    await bench.settle();
    await bench.advance(seconds * 1_000 - 700);
    await bench.settle();
    expect(tries).toHaveLength(retries + 1);
    await bench.advance(seconds * 300 + 700);
  }
  await until(() => tries.length === 4);
});

test("any text survives a step: NUL, lone surrogates, quotes, megabytes", async () => {
  const texts = ["\u0000", "\ud800", "'\"\\", "ü🙂", "x".repeat(1_500_000), "__proto__"];
  const got: string[] = [];
  const echo = bench.inngest.createFunction(
    { id: "echo", triggers: [{ event: "echo/asked" }] },
    async ({ event, step }) => {
      const back = await step.run("give", () => ({ text: (event.data as Data).text }));
      await step.run("take", () => got.push(back.text));
    },
  );
  await bench.serve([echo]);
  for (const text of texts) await bench.send("echo/asked", { text });
  await until(() => got.length === texts.length);
  expect(new Set(got)).toEqual(new Set(texts));
});

test("an event whose name the database cannot store is rejected", async () => {
  const send = embeddedFetch(bench.db, () => bench.now());
  for (const name of ["nul\u0000/asked", "half\ud800/asked"]) {
    const response = await send("http://engine.invalid/e/key", { method: "POST", body: JSON.stringify({ name }) });
    expect(response.status).toBe(400);
  }
});

test("a step with too large a result fails, and the engine continues", async () => {
  const ran: number[] = [];
  await bench.serve([
    bench.oneStepFunction("big", () => "x".repeat(5_000_000)),
    bench.oneStepFunction("small", () => ran.push(1)),
  ]);
  await bench.send("big/asked", {});
  await bench.send("small/asked", {});
  await until(() => ran.length === 1);
  await until(async () => (await listJobs(bench.db, { failed: true, limit: 1 }))[0]?.function === "generation-hub-big");
});

test("a failed run can be retried, from its first step without a result", async () => {
  let broken = true;
  const ran: string[] = [];
  const repaired = bench.inngest.createFunction(
    { id: "repaired", triggers: [{ event: "repaired/asked" }], retries: 0 },
    async ({ step }) => {
      await step.run("one", () => ran.push("one"));
      await step.run("two", () => {
        if (broken) throw new Error("broken");
        ran.push("two");
      });
    },
  );
  await bench.serve([repaired]);
  await bench.send("repaired/asked", {});
  const last = async () => (await runs()).find((run) => run.function === "generation-hub-repaired");
  await until(async () => (await last())?.status === "failed");
  const failed = (await last())!;
  expect(failed.error).toBe("broken");
  broken = false;
  expect(await retryRun(bench.db, failed.id)).toBe(true);
  await until(async () => (await last())?.status === "completed");
  expect(ran).toEqual(["one", "two"]);
  expect(await retryRun(bench.db, failed.id)).toBe(false);
  expect(await retryRun(bench.db, "nonsense")).toBe(false);
});

test("an idle engine sends no queries", async () => {
  await bench.serve([bench.oneStepFunction("idle", () => null)]);
  await bench.settle();
  const lastQueries = () =>
    bench.db.query<{ query_start: Date }>(
      `SELECT query_start FROM pg_stat_activity
       WHERE application_name = 'generation-hub engine' AND datname = current_database()`,
    );
  await pause(500);
  const before = await lastQueries();
  await pause(2_000);
  expect(before).toHaveLength(1);
  expect(await lastQueries()).toEqual(before);
});

test("an event sent right after the one that starts a run cancels the run", async () => {
  const ran: string[] = [];
  const options = { cancelOn: [{ event: "brief/canceled", match: "data.n" }] };
  const brief = bench.oneStepFunction("brief", ({ n }) => ran.push(`brief ${n}`), options);
  await bench.send("brief/asked", { n: 1 });
  await bench.send("brief/canceled", { n: 1 });
  await bench.send("brief/asked", { n: 2 });
  await bench.serve([brief]);
  await until(() => ran.length === 1);
  await bench.settle();
  expect(ran).toEqual(["brief 2"]);
});

test("a result that the database rejects fails its own run only", async () => {
  const ran: number[] = [];
  const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
  await bench.serve([
    bench.oneStepFunction("deep", () => nest(7_000), { retries: 0 }),
    bench.oneStepFunction("flat", () => ran.push(1)),
  ]);
  await Promise.all([bench.send("deep/asked", {}), bench.send("flat/asked", {})]);
  await until(() => ran.length === 1);
  await until(
    async () => (await listJobs(bench.db, { failed: true, limit: 1 }))[0]?.function === "generation-hub-deep",
  );
});

test("a lost connection is replaced, and no run is lost", async () => {
  const ran: number[] = [];
  await bench.serve([bench.oneStepFunction("steady", ({ n }) => ran.push(n))]);
  for (let n = 0; n < 60; n += 1) {
    await bench.send("steady/asked", { n });
    if (n % 20 === 10) {
      await bench.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'generation-hub engine' AND datname = current_database()`,
      );
    }
  }
  await until(() => new Set(ran).size === 60);
});

test("a stop lets steps end within the grace period, and frees those that do not", async () => {
  const ran: string[] = [];
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  let end = () => undefined as void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const functions = [
    bench.oneStepFunction("quick", async () => {
      ran.push("quick");
      await ended;
    }),
    bench.oneStepFunction("stuck", async () => {
      ran.push("stuck");
      await held;
    }),
  ];
  const engine = bench.createEngine(functions);
  await engine.start();
  await bench.send("quick/asked", {});
  await bench.send("stuck/asked", {});
  await until(() => ran.length === 2);
  const stopped = engine.stop(500);
  end();
  await stopped;
  release();
  await bench.serve(functions);
  await until(() => ran.length === 3);
  await bench.settle();
  expect(ran.sort()).toEqual(["quick", "stuck", "stuck"]);
});
