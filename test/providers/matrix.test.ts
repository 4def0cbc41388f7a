import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { soakCount } from "../soak";
import { type Double, type SubmitFault, submitFaults } from "./double";
import { type Crash, type EndedRun, findViolations, openProviderHub, type ProviderHub } from "./generation-run";
import { makers } from "./makers";

/** Where the hub's process dies: before it submits, while the submit is under way, or in a later step. */
const crashes = ["none", "before the submit", "after the submit", "in the second step", "in the third step"] as const;
type CrashPoint = (typeof crashes)[number];

const crashOf = (point: CrashPoint, double: Double): Crash | undefined => {
  const before = double.accepted.length;
  const hasSubmitted = () => double.accepted.length > before;
  if (point === "before the submit") return { step: 1 };
  if (point === "after the submit") return { step: 1, isDead: hasSubmitted };
  if (point === "none") return undefined;
  return { step: point === "in the second step" ? 2 : 3 };
};

/** A few pairs of each kind without SOAK: each fault and each crash comes up, and the pairs differ from kind to kind. */
function pairsOf(index: number): [SubmitFault | "none", CrashPoint][] {
  const faults = ["none" as const, ...submitFaults];
  const all = faults.flatMap((fault) => crashes.map((crash) => [fault, crash] as [SubmitFault | "none", CrashPoint]));
  const stride = soakCount(11, 1);
  return all.filter((_, n) => (n + index) % stride === 0);
}

describe.each(makers.map((maker, index) => ({ ...maker, index })))("$kind", ({ index, open, ...maker }) => {
  let double: Double;
  let hub: ProviderHub;
  beforeAll(async () => {
    double = await open();
    hub = await openProviderHub(maker.catalogue(double.url));
  });
  afterAll(() => double.close());

  test.each(pairsOf(index))("buys once when the submit meets %s and the process dies %s", async (fault, point) => {
    const before = double.accepted.length;
    const crash = crashOf(point, double);
    // A submit that never gets to the double does not tell when to die.
    const isSeen = fault === "none" || /after|within|no response|garbage|half/.test(fault);
    if (fault !== "none") double.failNextSubmits(fault);
    const model = fault === "no response" ? "hasty" : "model";
    const end = await hub.run(model, maker.input, point === "after the submit" && !isSeen ? { step: 2 } : crash);
    double.clearFaults();
    checkPurchases(end, double.accepted.length - before);
    checkMoney(end);
  });

  test("leaves the books in order", async () => {
    expect(await findViolations(hub)).toEqual([]);
  });
});

/** Every submit that the maker took on beyond the first must follow an attempt that is known to have failed. */
function checkPurchases({ status, attempts }: EndedRun, accepted: number): void {
  const failed = attempts.filter(({ outcome }) => outcome === "failed").length;
  const isBought = attempts.some(({ outcome }) => outcome === "succeeded" || outcome === "lost");
  expect(accepted).toBeLessThanOrEqual(failed + Number(isBought));
  if (status === "succeeded") expect(accepted).toBeGreaterThan(0);
}

function checkMoney({ status, estimate, billed, spent, reserved, outputs, error }: EndedRun): void {
  expect(reserved).toBe(0n);
  expect(spent).toBe(billed ?? 0n);
  if (status === "succeeded") {
    expect(billed).toBeGreaterThan(0n);
    expect(billed).toBeLessThanOrEqual(estimate);
    expect(outputs).not.toEqual([]);
    return;
  }
  expect(status).toBe("failed");
  expect(error).not.toBeNull();
  expect(spent).toBe(0n);
}
