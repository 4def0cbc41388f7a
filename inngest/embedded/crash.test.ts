import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../../test/bundle-program";
import { isSoak, seed } from "../../test/soak";
import { until } from "../contract/bench";
import { type EmbeddedBench, embeddedBench } from "../contract/embedded-bench";
import { sampleFunctions } from "../contract/sample-functions";

let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await embeddedBench();
});
afterEach(() => bench.halt());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const startChild = async () => {
  const program = await bundleProgram("inngest/contract/crash-child.ts");
  const started = spawn(process.execPath, [program, bench.url], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void started.kill("SIGKILL"));
  return {
    waitForOutput: () => once(started.stdout, "data"),
    async kill() {
      const ended = once(started, "exit");
      started.kill("SIGKILL");
      await ended;
    },
  };
};

test.each([
  ["alone", "at once, by the next engine that starts", 0],
  ["beside another", "by the other, after its lease", 31_000],
])("a process killed in the middle of a call, %s: its runs are finished %s", async (_, __, leaseMs) => {
  const victim = await startChild();
  await victim.waitForOutput();
  await bench.send("crash/asked", {});
  await victim.waitForOutput();

  const ran: string[] = [];
  const crash = bench.inngest.createFunction(
    { id: "crash", triggers: [{ event: "crash/asked" }] },
    async ({ step }) => {
      const first = await step.run("first", () => (ran.push("first"), "first of the test"));
      await step.sleepUntil("nap", new Date());
      await step.run("second", () => ran.push(`second after ${first}`));
    },
  );
  if (leaseMs > 0) await bench.serve([crash]);
  await victim.kill();
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

test.runIf(isSoak)(
  "processes killed at any moment lose no run and leave no rows behind",
  async () => {
    const runs = 1_000;
    await bench.inngest.send(
      Array.from({ length: runs }, (_, n) => ({ name: "walk/asked", data: { n, account: n % 5 } })),
    );
    for (let kill = 0; kill < 50; kill += 1) {
      const victim = await startChild();
      await victim.waitForOutput();
      await pause(((seed + kill * 7_919) % 400) + 50);
      await victim.kill();
    }
    await bench.serve(sampleFunctions(bench.inngest));
    const ended = async () =>
      bench.db.query<{ status: string; runs: number }>(
        `SELECT status, count(*)::int AS runs FROM engine.run WHERE function_id LIKE '%-walk' GROUP BY status`,
      );
    await until(async () => {
      await bench.advance(1_000);
      return JSON.stringify(await ended()) === JSON.stringify([{ status: "completed", runs }]);
    }, ended);
    await bench.settle();
    const results = await bench.db.query<{ result: { n: number; both: number[] } }>(
      `SELECT result FROM engine.run WHERE function_id LIKE '%-walk'`,
    );
    expect(results.map(({ result }) => result.n).sort((a, b) => a - b)).toEqual([...Array(runs).keys()]);
    for (const { result } of results) expect(result.both).toEqual([result.n + 1, result.n + 2]);
    const remaining = await bench.db.query(
      `SELECT key FROM engine.concurrency_group WHERE runs + waiting + executing > 0
       UNION ALL SELECT step FROM engine.job UNION ALL SELECT step FROM engine.step_result UNION ALL SELECT event FROM engine.wait`,
    );
    expect(remaining).toEqual([]);
  },
  600_000,
);
