import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { withTimeout } from "./with-timeout";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Resolves to the reason with which a signal aborts, and keeps nothing but its listener. */
const waitForAbort = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) =>
    signal.addEventListener("abort", (event) => resolve((event.target as AbortSignal).reason), { once: true }),
  );

test("a time-out fires although nobody else keeps its signal", async () => {
  const reason = withTimeout(200, new AbortController().signal, waitForAbort);
  for (let round = 0; round < 3; round += 1) {
    await delay(10);
    collectGarbage();
  }
  expect(await reason).toMatchObject({ name: "TimeoutError" });
});

test("aborts with the outer signal, and not after longer than a timer can wait", async () => {
  const outer = new AbortController();
  const reason = withTimeout(2 ** 40, outer.signal, waitForAbort);
  outer.abort("gone");
  expect(await reason).toBe("gone");
});

test("returns what the work returns", async () => {
  expect(await withTimeout(1_000, new AbortController().signal, () => Promise.resolve(7))).toBe(7);
});
