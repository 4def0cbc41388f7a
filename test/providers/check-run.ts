import { expect } from "vitest";
import type { FaultyRun, OpenedMaker, Plan } from "./fault-run";
import type { EndedRun } from "./ended-run";

/** Expects that a run was bought and charged at most once, and ended as its faults make it end. */
export function checkRun(run: FaultyRun, maker: OpenedMaker, plan: Plan): void {
  checkPurchases(run);
  checkMoney(run.end);
  checkEnd(run, plan);
  if (maker.callsBack) checkCallbacks(run, plan);
}

/** Every submit that the maker accepted beyond the first must follow an attempt that is known to have failed. */
function checkPurchases({ end: { status, attempts }, submits, accepted }: FaultyRun): void {
  const failed = attempts.filter(({ outcome }) => outcome === "failed").length;
  const isBought = attempts.some(({ outcome }) => outcome === "succeeded" || outcome === "lost");
  expect(accepted).toBeLessThanOrEqual(failed + Number(isBought));
  if (status === "succeeded") expect(accepted).toBeGreaterThan(0);
  expect(submits).toBeLessThanOrEqual(attempts.length);
  expect(attempts.slice(0, -1).map(({ outcome }) => outcome)).not.toContain("lost");
  // What may have been bought counts as bought.
  expect(attempts.filter(({ outcome, cost }) => outcome === "lost" && cost === null)).toEqual([]);
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

/** Output faults after which the output is stored nevertheless. */
const PASSING = ["no fault", "500 once", "reset within the body once"];

function checkEnd({ end: { attempts, error }, callbacks, accepted }: FaultyRun, plan: Plan): void {
  const isLost = attempts.some(({ outcome }) => outcome === "lost");
  // The hub had no time to find the job.
  if (plan.submit === "no response") return;
  const isFound = callbacks.includes(true) && plan.callback !== "late" && accepted > 0;
  if (isLost) {
    expect(isFound).toBe(false);
    expect(plan.crash !== "nowhere" || plan.submit !== "no fault" || plan.output === "65 MiB inline").toBe(true);
  } else if (isFound || plan.submit === "no fault")
    expect(error?.code).toBe(PASSING.includes(plan.output) ? undefined : "invalid_output");
}

/** How often each callback wakes its run, when nothing else goes wrong. */
const wakesOf: Partial<Record<Plan["callback"], number>> = { sent: 1, doubled: 2, early: 1 };

function checkCallbacks({ end, callbacks, wakes, accepted }: FaultyRun, { callback, submit, crash }: Plan): void {
  const isOpen = submit === "no fault" && accepted === 1 && end.attempts.length === 1;
  if (callback === "lost") expect(callbacks).toEqual([]);
  // A run whose job is not known yet accepts anything that the maker has signed for its address.
  if (/wrong|another/.test(callback) && isOpen && crash !== "after the submit") expect(callbacks).toEqual([false]);
  if (isOpen && crash !== "after the submit") expect(wakes).toBe(wakesOf[callback] ?? 0);
}
