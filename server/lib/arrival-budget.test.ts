import { expect, test } from "vitest";
import { createArrivalBudget } from "./arrival-budget";

const { signal } = new AbortController();
const open = () => createArrivalBudget({ maxBytes: 100, maxBytesPerOwner: 60 });

/** Returns whether a promise has resolved by now. */
async function hasResolved(promise: Promise<void>): Promise<boolean> {
  let isResolved = false;
  void promise.then(() => (isResolved = true));
  await new Promise(setImmediate);
  return isResolved;
}

test("a sender that drips holds what it has sent, and nobody waits for it", async () => {
  const budget = open();
  const slow = budget.open("slow");
  await slow.take(1, signal);
  for (let n = 0; n < 10; n += 1) {
    const fast = budget.open("fast");
    await fast.take(50, signal);
    fast.release();
  }
});

test("partial bodies that wait for each other complete one after the other, the largest first", async () => {
  const budget = open();
  const shares = ["a", "b", "c"].map((owner) => budget.open(owner));
  const [small, large, other] = shares as [(typeof shares)[0], (typeof shares)[0], (typeof shares)[0]];
  await small.take(10, signal);
  await large.take(50, signal);
  await other.take(40, signal);
  // The first to wait goes on at once, beyond the limit.
  await other.take(20, signal);
  const [first, second] = [small.take(20, signal), large.take(20, signal)];
  expect([await hasResolved(first), await hasResolved(second)]).toEqual([false, false]);
  other.release();
  // What was released is enough for one, and the other continues beyond the limit.
  expect([await hasResolved(first), await hasResolved(second)]).toEqual([true, true]);
  small.release();
  large.release();
  await budget.open("d").take(60, signal);
});

test("one owner has a share, which others do not wait for", async () => {
  const budget = open();
  const [one, two, three] = [budget.open("a"), budget.open("a"), budget.open("a")];
  await one.take(60, signal);
  await two.take(60, signal);
  const third = three.take(1, signal);
  expect(await hasResolved(third)).toBe(false);
  await budget.open("b").take(40, signal);
  two.release();
  await third;
});

test("a wait that is aborted ends with the reason, and takes nothing", async () => {
  const budget = open();
  const [one, two, three] = [budget.open("a"), budget.open("a"), budget.open("a")];
  await one.take(60, signal);
  await two.take(60, signal);
  const controller = new AbortController();
  const waits = three.take(1, controller.signal);
  controller.abort(new Error("stopped"));
  await expect(waits).rejects.toThrow("stopped");
  await expect(three.take(1, controller.signal)).rejects.toThrow("stopped");
  for (const share of [one, two, three]) share.release();
  await budget.open("a").take(60, signal);
});
