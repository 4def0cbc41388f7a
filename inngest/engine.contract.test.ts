import { NonRetriableError, RetryAfterError, StepError } from "inngest";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Bench, until } from "./contract/bench";
import { embeddedBench } from "./contract/embedded-bench";
import { serverBench } from "./contract/server-bench";

const server = process.env.INNGEST_TEST_URL;
const engines = [
  { name: "embedded", open: (): Promise<Bench> => embeddedBench() },
  ...(server ? [{ name: "server", open: () => serverBench(server) }] : []),
];

interface Notified {
  id: string;
  account?: number;
}
const at = (event: { data?: unknown }) => event.data as Notified;

// A real server polls its queue, so that each transition takes time.
const TIMEOUT_MS = server ? 120_000 : 30_000;
describe.each(engines)("on the $name engine", { timeout: TIMEOUT_MS }, ({ open }) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  });
  const send = (name: string, data: object, id?: string) => bench.inngest.send({ name, data, id });

  test("runs each step once and returns its result in later calls", async () => {
    const ran: string[] = [];
    let result: unknown;
    const sums = bench.inngest.createFunction(
      { id: "sums", triggers: [{ event: "sums/asked" }] },
      async ({ event, step, runId }) => {
        const one = await step.run("one", () => (ran.push("one"), { value: Number(at(event).account) }));
        const two = await step.run("two", () => (ran.push("two"), one.value + 1));
        const none = await step.run("none", () => void ran.push("none"));
        result = { one, two, none, runId: typeof runId };
        await step.run("three", () => ran.push("three"));
      },
    );
    await bench.serve([sums]);
    await send("sums/asked", { account: 41 });
    await until(() => ran.includes("three"));
    expect(ran).toEqual(["one", "two", "none", "three"]);
    expect(result).toEqual({ one: { value: 41 }, two: 42, none: null, runId: "string" });
  });

  test("ends a sleep when it is due, even after a restart", async () => {
    const ran: string[] = [];
    const sleeper = bench.inngest.createFunction(
      { id: "sleeper", triggers: [{ event: "sleeper/asked" }] },
      async ({ step }) => {
        await step.run("before", () => ran.push("before"));
        await step.sleep("nap", bench.long);
        await step.run("after", () => ran.push("after"));
      },
    );
    await bench.serve([sleeper]);
    await send("sleeper/asked", {});
    await until(() => ran.length === 1);
    await bench.settle();
    await bench.halt();
    await bench.serve([sleeper]);
    expect(ran).toEqual(["before"]);
    await bench.pass();
    await until(() => ran.length === 2);
    expect(ran).toEqual(["before", "after"]);
  });

  test("retries a failing step, and the function sees only the success", async () => {
    const tries: number[] = [];
    let result: unknown;
    const flaky = bench.inngest.createFunction(
      { id: "flaky", triggers: [{ event: "flaky/asked" }], retries: 2 },
      async ({ step, attempt }) => {
        const answer = await step.run("try", () => {
          tries.push(attempt);
          if (tries.length < 3) throw new RetryAfterError("not yet", "1s");
          return "done";
        });
        result = answer;
      },
    );
    await bench.serve([flaky]);
    await send("flaky/asked", {});
    for (let n = 1; n <= 3; n += 1) {
      await until(() => tries.length >= n);
      await bench.settle();
      await bench.pass();
    }
    await until(() => result !== undefined);
    expect(tries).toEqual([0, 1, 2]);
    expect(result).toBe("done");
  });

  test("repeats none of the steps before one that is retried", async () => {
    const ran: string[] = [];
    const flaky = bench.inngest.createFunction(
      { id: "late-flaky", triggers: [{ event: "late-flaky/asked" }], retries: 1 },
      async ({ step }) => {
        await step.run("one", () => ran.push("one"));
        await step.run("two", () => ran.push("two"));
        await step.run("three", () => {
          ran.push("three");
          if (ran.length < 4) throw new RetryAfterError("not yet", "1s");
        });
        await step.run("four", () => ran.push("four"));
      },
    );
    await bench.serve([flaky]);
    await send("late-flaky/asked", {});
    await until(() => ran.length === 3);
    await bench.settle();
    await bench.pass();
    await until(() => ran.includes("four"));
    expect(ran).toEqual(["one", "two", "three", "three", "four"]);
  });

  test("throws the last failure in the function, which can catch it", async () => {
    const tries: number[] = [];
    let caughtError: unknown;
    class Unlucky extends RetryAfterError {
      override name = "Unlucky";
    }
    const catching = bench.inngest.createFunction(
      { id: "careful", triggers: [{ event: "careful/asked" }], retries: 0 },
      async ({ step, attempt }) => {
        try {
          await step.run("try", () => {
            tries.push(attempt);
            throw new Unlucky("no luck", "1s");
          });
        } catch (error) {
          const { name, message } = error as Error;
          caughtError = [error instanceof StepError, name, message];
        }
        await step.run("after", () => tries.push(99));
      },
    );
    await bench.serve([catching]);
    await send("careful/asked", {});
    await until(() => tries.includes(99));
    expect(tries).toEqual([0, 99]);
    expect(caughtError).toEqual([true, "Unlucky", "no luck"]);
  });

  test("a NonRetriableError of a step is not tried again, and fails its run", async () => {
    const runs: string[] = [];
    let tries = 0;
    const failing = bench.inngest.createFunction(
      { id: "doomed", triggers: [{ event: "doomed/asked" }], retries: 3 },
      async ({ step, runId }) => {
        runs.push(runId);
        await step.run("try", () => {
          tries += 1;
          throw new NonRetriableError("never");
        });
      },
    );
    await bench.serve([failing]);
    await send("doomed/asked", {});
    await until(async () => runs.length > 0 && (await bench.readRun(runs[0]!)).status === "failed");
    expect((await bench.readRun(runs[0]!)).output).toMatchObject({ message: "never" });
    expect(tries).toBe(1);
  });

  test("retries a step at the time of its RetryAfterError, and fails the function after the last attempt", async () => {
    const tries: number[] = [];
    const runs: string[] = [];
    const requested = [4_000, 1_000, 8_000];
    const withRetryAfter = bench.inngest.createFunction(
      { id: "patient", triggers: [{ event: "patient/asked" }], retries: 3 },
      async ({ step, runId }) => {
        runs.push(runId);
        await step.run("try", () => {
          const delayMs = requested[tries.length] ?? 1_000;
          tries.push(bench.now().getTime());
          // The last delay is a date, the others are durations.
          throw new RetryAfterError("not yet", delayMs === 8_000 ? new Date(tries.at(-1)! + delayMs) : delayMs);
        });
      },
    );
    await bench.serve([withRetryAfter]);
    await send("patient/asked", {});
    await until(
      async () => {
        await bench.passMoment();
        return runs.length > 0 && (await bench.readRun(runs[0]!)).status === "failed";
      },
      () => tries.length,
    );
    const delays = tries.slice(1).map((at, n) => at - tries[n]!);
    expect(delays).toHaveLength(requested.length);
    for (const [n, delayMs] of requested.entries()) {
      expect(Math.abs(delays[n]! - delayMs)).toBeLessThanOrEqual(Math.max(2_000, delayMs / 5));
    }
    expect((await bench.readRun(runs[0]!)).output).toMatchObject({ message: "not yet" });
  });

  test("a NonRetriableError fails the run at once, with the name and message of its class", async () => {
    class SpecialError extends NonRetriableError {
      override name = "SpecialError";
    }
    const ran: string[] = [];
    const ending = bench.inngest.createFunction(
      { id: "ending", triggers: [{ event: "ending/asked" }], retries: 3 },
      async ({ step, runId }) => {
        await step.run("work", () => ran.push(runId));
        throw new SpecialError("the provider refused");
      },
    );
    await bench.serve([ending]);
    await send("ending/asked", {});
    await until(async () => ran.length > 0 && (await bench.readRun(ran[0]!)).status === "failed");
    await bench.settle();
    const error = { name: "SpecialError", message: "the provider refused" };
    expect(ran).toHaveLength(1);
    expect(await bench.readRun(ran[0]!)).toMatchObject({ status: "failed", output: error });
  });

  test("a run that returned shows its output", async () => {
    const ran: string[] = [];
    const succeeding = bench.inngest.createFunction(
      { id: "sound", triggers: [{ event: "sound/asked" }] },
      async ({ step, runId }) => {
        await step.run("work", () => ran.push(runId));
        return { id: "x", status: "succeeded", cost: 3 };
      },
    );
    await bench.serve([succeeding]);
    await send("sound/asked", {});
    await until(async () => ran.length > 0 && (await bench.readRun(ran[0]!)).status === "completed");
    expect((await bench.readRun(ran[0]!)).output).toEqual({ id: "x", status: "succeeded", cost: 3 });
  });

  test("waitForEvent returns the matching event, or null after the timeout", async () => {
    const got = new Map<string, unknown>();
    const waits = bench.inngest.createFunction(
      { id: "waits", triggers: [{ event: "waits/asked" }] },
      async ({ event, step }) => {
        const { id } = at(event);
        await step.run("begun", () => void got.set(id, "waiting"));
        const answer = await step.waitForEvent("answer", {
          event: "waits/answered",
          timeout: bench.long,
          if: "async.data.id == event.data.id && async.data.state == 'done'",
        });
        await step.run("got", () => void got.set(id, answer && (answer.data as object)));
      },
    );
    await bench.serve([waits]);
    await send("waits/asked", { id: "a" });
    await send("waits/asked", { id: "b" });
    await until(() => got.size === 2);
    await bench.settle();
    await send("waits/answered", { id: "a", state: "running" });
    await send("waits/answered", { id: "a", state: "done", n: 1 });
    await until(() => got.get("a") !== "waiting");
    expect(got.get("a")).toEqual({ id: "a", state: "done", n: 1 });
    expect(got.get("b")).toBe("waiting");
    await bench.pass();
    await until(() => got.get("b") !== "waiting");
    expect(got.get("b")).toBeNull();
  });

  test("sendEvent starts other functions once", async () => {
    const received: string[] = [];
    let ids: unknown;
    const sender = bench.inngest.createFunction(
      { id: "teller", triggers: [{ event: "teller/asked" }] },
      async ({ step }) => {
        const sent = await step.sendEvent("tell", [
          { name: "teller/told", data: { id: "x" } },
          { name: "teller/told", data: { id: "y" } },
        ]);
        await step.run("keep", () => void (ids = sent.ids.length));
      },
    );
    const receiver = bench.inngest.createFunction(
      { id: "hearer", triggers: [{ event: "teller/told" }] },
      async ({ event, step }) => step.run("hear", () => received.push(at(event).id)),
    );
    await bench.serve([sender, receiver]);
    await send("teller/asked", {});
    await until(() => received.length === 2 && ids !== undefined);
    expect(received.sort()).toEqual(["x", "y"]);
    expect(ids).toBe(2);
  });

  test("runs parallel steps once each, and continues when all have ended", async () => {
    const ran: string[] = [];
    let result: unknown;
    const fork = bench.inngest.createFunction({ id: "fork", triggers: [{ event: "fork/asked" }] }, async ({ step }) => {
      const branch = async (name: string) => {
        const first = await step.run(`${name}1`, () => (ran.push(`${name}1`), name));
        return step.run(`${name}2`, () => (ran.push(`${name}2`), first + first));
      };
      const all = await Promise.all([branch("a"), branch("b"), step.sleep("nap", "1s"), branch("c")]);
      await step.run("join", () => void (result = all));
    });
    await bench.serve([fork]);
    await send("fork/asked", {});
    await until(() => ran.length >= 3);
    await bench.settle();
    await bench.pass();
    await until(() => result !== undefined);
    expect(result).toEqual(["aa", "bb", null, "cc"]);
    expect(ran.sort()).toEqual(["a1", "a2", "b1", "b2", "c1", "c2"]);
  });

  test("cancelOn cancels only the matching runs", async () => {
    const ran: string[] = [];
    const cancelable = bench.inngest.createFunction(
      { id: "cancelable", triggers: [{ event: "job/asked" }], cancelOn: [{ event: "job/canceled", match: "data.id" }] },
      async ({ event, step }) => {
        const { id } = at(event);
        await step.run("before", () => ran.push(`${id} begun`));
        await step.sleep("nap", bench.long);
        await step.run("after", () => ran.push(`${id} ended`));
      },
    );
    await bench.serve([cancelable]);
    await send("job/asked", { id: "stay" });
    await send("job/asked", { id: "go" });
    await until(() => ran.length === 2);
    await send("job/canceled", { id: "go" });
    await send("job/asked", { id: "later" });
    await until(() => ran.includes("later begun"));
    await bench.settle();
    await bench.pass();
    await until(() => ran.includes("stay ended") && ran.includes("later ended"));
    expect(ran).not.toContain("go ended");
  });

  test("uses a keyed concurrency limit fully and never exceeds it", async () => {
    const executing = new Map<number, number>();
    const maxExecuting = new Map<number, number>();
    let done = 0;
    const limited = bench.inngest.createFunction(
      { id: "limited", triggers: [{ event: "limited/asked" }], concurrency: [{ key: "event.data.account", limit: 2 }] },
      async ({ event, step }) =>
        step.run("work", async () => {
          const account = at(event).account!;
          executing.set(account, (executing.get(account) ?? 0) + 1);
          maxExecuting.set(account, Math.max(maxExecuting.get(account) ?? 0, executing.get(account)!));
          // The first run waits for others, so that a limit above one is reached however slowly runs start.
          if (maxExecuting.get(account)! < 2) await until(() => maxExecuting.get(account) === 2);
          await new Promise((resolve) => setTimeout(resolve, 10));
          executing.set(account, executing.get(account)! - 1);
          done += 1;
        }),
    );
    await bench.serve([limited]);
    await bench.inngest.send(
      Array.from({ length: 30 }, (_, n) => ({ name: "limited/asked", data: { account: n % 3 } })),
    );
    await until(
      () => done === 30,
      () => done,
    );
    expect([...maxExecuting.values()]).toEqual([2, 2, 2]);
  });

  test("a backlog of one key does not delay another key", async () => {
    const served: number[] = [];
    const shared = bench.inngest.createFunction(
      { id: "shared", triggers: [{ event: "shared/asked" }], concurrency: [{ key: "event.data.account", limit: 1 }] },
      async ({ event, step }) => step.run("work", () => served.push(at(event).account!)),
    );
    await bench.serve([shared]);
    const requested = (account: number) => ({ name: "shared/asked", data: { account } });
    await bench.inngest.send(Array.from({ length: 200 }, () => requested(1)));
    await until(
      () => served.length > 5,
      () => served.length,
    );
    await bench.inngest.send([requested(2), requested(3)]);
    const before = served.length;
    await until(() => served.includes(2) && served.includes(3));
    expect(Math.max(served.indexOf(2), served.indexOf(3)) - before).toBeLessThan(60);
    await until(
      () => served.length === 202,
      () => served.length,
    );
  });

  test("an event id counts once", async () => {
    const ran: string[] = [];
    const frequentlySent = bench.inngest.createFunction(
      { id: "often", triggers: [{ event: "often/asked" }] },
      async ({ event, step }) => step.run("work", () => ran.push(at(event).id)),
    );
    await bench.serve([frequentlySent]);
    const id = randomUUID();
    await send("often/asked", { id: "same" }, id);
    await send("often/asked", { id: "same" }, id);
    await send("often/asked", { id: "end" });
    await until(() => ran.includes("end"));
    await bench.settle();
    expect(ran.sort()).toEqual(["end", "same"]);
  });
});
