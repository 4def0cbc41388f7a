import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue";

const limits = { maxRunning: 1, maxWaiting: 6, maxWaitingPerOwner: 4 };

/** Creates work that ends on demand, and records the order in which it began. */
function createWork(begun: string[]) {
  const ends: (() => void)[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.push(() => resolve(name));
    });
  return { work, endNext: () => ends.shift()!() };
}

test("owners take turns, whoever came first", async () => {
  const queue = createFairQueue(limits);
  const begun: string[] = [];
  const { work, endNext } = createWork(begun);
  const names = ["a1", "a2", "a3", "b1", "c1", "b2"];
  const results = names.map((name) => queue.run(name[0]!, work(name)));
  for (const index of names.keys()) {
    await expect.poll(() => begun.length, { interval: 1 }).toBe(index + 1);
    endNext();
  }
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  expect(await Promise.all(results)).toEqual(names);
});

test("rejects what may not wait", async () => {
  const queue = createFairQueue(limits);
  const { work } = createWork([]);
  const start = (owner: string) => queue.run(owner, work(owner));
  void start("a");
  for (let n = 0; n < 4; n += 1) void start("a");
  await expect(start("a")).rejects.toMatchObject({ status: 429 });
  void start("b");
  void start("b");
  await expect(start("c")).rejects.toMatchObject({ status: 503 });
});

test("a failure frees its place, after a pause where the queue is paced", async () => {
  const queue = createFairQueue({ ...limits, isPaced: true });
  await expect(queue.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await queue.run("a", () => Promise.resolve(1))).toBe(1);
});
