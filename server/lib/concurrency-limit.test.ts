import { expect, test } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit";

/** Creates work that ends when the test calls `end`. */
function createWork() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { started, work, end: (name: string) => ends.get(name)!() };
}

test("runs at most the limit at once, in order of arrival", async () => {
  const limit = createConcurrencyLimit(2);
  const { started, work, end } = createWork();
  const all = ["a", "b", "c", "d"].map((name) => limit.run(work(name)));
  await Promise.resolve();
  expect(started).toEqual(["a", "b"]);
  expect(limit.runsOne).toBe(false);
  end("b");
  await all[1];
  await expect.poll(() => started).toEqual(["a", "b", "c"]);
  for (const name of ["a", "c"]) end(name);
  await expect.poll(() => started).toEqual(["a", "b", "c", "d"]);
  expect(limit.idle).toBe(false);
  expect(limit.runsOne).toBe(true);
  end("d");
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
  expect(limit.idle).toBe(true);
});

test("a failure frees its slot", async () => {
  const limit = createConcurrencyLimit(1);
  const failed = limit.run(() => Promise.reject(new Error("no")));
  const next = limit.run(async () => "next");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("next");
});

test("aborted work leaves the queue and never runs", async () => {
  const limit = createConcurrencyLimit(1);
  const { started, work, end } = createWork();
  const first = limit.run(work("first"));
  const controller = new AbortController();
  const waiting = limit.run(work("waiting"), controller.signal);
  const last = limit.run(work("last"));
  controller.abort(new Error("gave up"));
  await expect(waiting).rejects.toThrow("gave up");
  await expect(limit.run(work("late"), controller.signal)).rejects.toThrow("gave up");
  end("first");
  await first;
  await expect.poll(() => started).toEqual(["first", "last"]);
  end("last");
  await last;
  expect(limit.idle).toBe(true);
});

test("keeps the sum of weights within the limit, and does not pass over a heavy one", async () => {
  const limit = createConcurrencyLimit(10);
  const { started, work, end } = createWork();
  const first = limit.run(work("first"), undefined, 6);
  const heavy = limit.run(work("heavy"), undefined, 9);
  const light = limit.run(work("light"), undefined, 1);
  const next = limit.run(work("next"), undefined, 1);
  await Promise.resolve();
  expect(started).toEqual(["first"]);
  end("first");
  await first;
  await expect.poll(() => started).toEqual(["first", "heavy", "light"]);
  end("heavy");
  await heavy;
  await expect.poll(() => started).toEqual(["first", "heavy", "light", "next"]);
  for (const name of ["light", "next"]) end(name);
  await Promise.all([light, next]);
  expect(limit.idle).toBe(true);
});

test("admits work behind a heavy one when the heavy one aborts", async () => {
  const limit = createConcurrencyLimit(2);
  const { started, work, end } = createWork();
  const first = limit.run(work("first"));
  const controller = new AbortController();
  const heavy = limit.run(work("heavy"), controller.signal, 2);
  const light = limit.run(work("light"));
  controller.abort(new Error("gave up"));
  await expect(heavy).rejects.toThrow("gave up");
  await expect.poll(() => started).toEqual(["first", "light"]);
  for (const name of ["first", "light"]) end(name);
  await Promise.all([first, light]);
});

test("rejects a weight above the limit instead of waiting forever", async () => {
  await expect(createConcurrencyLimit(2).run(async () => "never", undefined, 3)).rejects.toThrow(RangeError);
});
