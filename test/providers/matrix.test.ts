import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { seed, soakCount } from "../soak";
import { callbackFaults } from "./callbacks";
import { checkRun } from "./check-run";
import { submitFaults } from "./double";
import { type CrashPoint, crashPoints, type OpenedMaker, type Plan, runWithFaults } from "./fault-run";
import { findViolations, openProviderHub, type ProviderHub } from "./generation-run";
import { describeCatalogue, openMakers } from "./makers";
import { fileFaults, inlineFaults } from "./output-faults";

const RANDOM_RUNS = soakCount(10, 1_000);

const clock = { now: () => new Date() };
const opened = await openMakers(() => clock.now());
const providerHub: ProviderHub = await openProviderHub(describeCatalogue(opened));
clock.now = providerHub.hub.now;
afterAll(() => Promise.all(opened.map(({ double }) => double.close())));

const withoutFaults: Plan = { submit: "no fault", output: "no fault", callback: "lost", crash: "nowhere" };
const outputFaultsOf = ({ outputs }: OpenedMaker) => (outputs === "files" ? fileFaults : inlineFaults);

async function run(maker: OpenedMaker, plan: Plan): Promise<void> {
  checkRun(await runWithFaults(providerHub, maker, plan), maker, plan);
}

/**
 * Returns all pairs of faults and crashes under SOAK. Otherwise each fault runs for one in `everySoMany` kinds, each
 * time with another crash.
 */
function pairsOf<T>(faults: readonly T[], index: number, everySoMany: number): [T, CrashPoint][] {
  if (process.env.SOAK) return faults.flatMap((fault) => crashPoints.map((crash) => [fault, crash] as [T, CrashPoint]));
  return faults.flatMap((fault, n) =>
    (n + index) % everySoMany === 0 ? [[fault, crashPoints[(n + 2 * index) % crashPoints.length]!]] : [],
  );
}

describe.each(opened.map((maker, index) => ({ name: maker.name, maker, index })))("$name", ({ maker, index }) => {
  test.each(pairsOf(["no fault", ...submitFaults] as const, index, 4))(
    "buys once when the submit has %s and the process dies %s",
    (submit, crash) => run(maker, { ...withoutFaults, submit, crash }),
  );

  test.each(pairsOf(outputFaultsOf(maker), index, 3))(
    "buys once when the output is %s and the process dies %s",
    (output, crash) => run(maker, { ...withoutFaults, output, crash, callback: "sent" }),
  );

  test.each(maker.callsBack ? pairsOf(callbackFaults, index, 2) : [])(
    "buys once when the callback is %s and the process dies %s",
    (callback, crash) => run(maker, { ...withoutFaults, callback, crash }),
  );
});

const faultOr = <T, D>(common: D, faults: readonly T[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(common) }, { weight: 1, arbitrary: fc.constantFrom(...faults) });

const randomRun = fc.constantFrom(...opened.keys()).chain((index) =>
  fc.record({
    maker: fc.constant(index),
    submit: faultOr("no fault" as const, submitFaults),
    output: faultOr("no fault" as const, outputFaultsOf(opened[index]!)),
    callback: faultOr("sent" as const, callbackFaults),
    crash: faultOr("nowhere" as const, crashPoints),
  }),
);

test(`${RANDOM_RUNS} runs with random faults buy once`, { timeout: soakCount(120_000, 900_000) }, async () => {
  const property = fc.asyncProperty(randomRun, ({ maker, ...plan }) => run(opened[maker]!, plan));
  await fc.assert(property, { seed, numRuns: RANDOM_RUNS, endOnFailure: true });
});

test("the audit finds no violation", async () => {
  expect(await findViolations(providerHub)).toEqual([]);
});
