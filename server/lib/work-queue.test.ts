import { expect, test } from "vitest";
import { createWorkQueue } from "./work-queue";

const busy = () => new Error("busy");
const open = (limits: { maxRunning?: number; maxPending?: number; maxWaitMs?: number } = {}) =>
  createWorkQueue({ maxRunning: 1, maxPending: 10, maxWaitMs: 60_000, busy, ...limits });

/** Returns work that ends on command. */
function heldWork() {
  let runs = 0;
  let end: (result: string) => void = () => undefined;
  const promise = new Promise<string>((resolve) => (end = resolve));
  const work = () => {
    runs += 1;
    return promise;
  };
  return { work, end, runs: () => runs };
}

test("callers with the same key share one run, and a later one runs again", async () => {
  const queue = open();
  const first = heldWork();
  const results = [queue.run("a", first.work), queue.run("a", first.work)];
  first.end("done");
  expect(await Promise.all(results)).toEqual(["done", "done"]);
  expect(first.runs()).toBe(1);
  expect(await queue.run("a", async () => "again")).toBe("again");
});

test("a failure reaches everybody who shares the run, and is not kept", async () => {
  const queue = open();
  const fail = () => Promise.reject(new Error("broken"));
  const results = await Promise.allSettled([queue.run("a", fail), queue.run("a", fail)]);
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
  expect(await queue.run("a", async () => 1)).toBe(1);
});

test("runs only so much at once, and rejects more than may wait", async () => {
  const queue = open({ maxPending: 2 });
  const [first, second] = [heldWork(), heldWork()];
  const results = [queue.run("a", first.work), queue.run("b", second.work)];
  await expect(queue.run("c", second.work)).rejects.toThrow("busy");
  expect(second.runs()).toBe(0);
  first.end("1");
  second.end("2");
  expect(await Promise.all(results)).toEqual(["1", "2"]);
});

test("ends a wait that takes too long, but not the work that runs", async () => {
  const queue = open({ maxWaitMs: 5 });
  const first = heldWork();
  const running = queue.run("a", first.work);
  await expect(queue.run("b", first.work)).rejects.toThrow("busy");
  first.end("done");
  expect([await running, first.runs()]).toEqual(["done", 1]);
});
