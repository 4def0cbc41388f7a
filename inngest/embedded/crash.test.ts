import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../contract/bench";
import { type EmbeddedBench, embeddedBench } from "../contract/embedded-bench";

let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await embeddedBench();
});
afterEach(() => bench.halt());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a lost connection is replaced, and nothing is lost with it", async () => {
  const ran: number[] = [];
  await bench.serve([bench.one("steady", ({ n }) => ran.push(n))]);
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

test("a stop lets steps end within its grace, and gives back those that do not", async () => {
  const ran: string[] = [];
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const functions = [
    bench.one("quick", async () => {
      ran.push("quick");
      await pause(100);
    }),
    bench.one("stuck", async () => {
      ran.push("stuck");
      await held;
    }),
  ];
  const engine = bench.engine(functions);
  await engine.start();
  await bench.send("quick/asked", {});
  await bench.send("stuck/asked", {});
  await until(() => ran.length === 2);
  await engine.stop(500);
  release();
  await bench.serve(functions);
  await until(() => ran.length === 3);
  await bench.settle();
  expect(ran.sort()).toEqual(["quick", "stuck", "stuck"]);
});

test.each([
  ["alone", "by the one that starts next, at once", 0],
  ["not alone", "by the other, when its lease is over", 31_000],
])("a process killed in the middle of a step: %s, its work is finished %s", async (_, __, leaseMs) => {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", path.resolve("inngest/contract/crash-child.ts"), bench.url],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  await bench.halt();
  await until(async () => (await bench.db.query("SELECT FROM engine.worker")).length === 1);
  await bench.send("crash/asked", {});
  await once(child.stdout, "data");

  const ran: string[] = [];
  const crash = bench.inngest.createFunction(
    { id: "crash", triggers: [{ event: "crash/asked" }] },
    async ({ step }) => {
      const first = await step.run("first", () => (ran.push("first"), "first of ours"));
      await step.run("second", () => ran.push(`second after ${first}`));
    },
  );
  if (leaseMs > 0) await bench.serve([crash]);
  child.kill("SIGKILL");
  await ended;
  if (leaseMs === 0) await bench.serve([crash]);
  else {
    await pause(200);
    expect(ran).toEqual([]);
    await bench.advance(leaseMs);
  }
  await until(() => ran.length > 0);
  await bench.settle();
  expect(ran).toEqual(["second after first of the child"]);
});
