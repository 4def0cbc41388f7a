import { afterAll, describe, expect, test } from "vitest";
import { isSoak, soakCount } from "../soak";
import { cancelCrashes, cancelReplies, type CancelPlan, runCanceled } from "./cancel-run";
import type { OpenedMaker } from "./fault-run";
import { findViolations, openProviderHub, type ProviderHub } from "./generation-run";
import { describeCatalogue, openMakers } from "./makers";

const KINDS = ["replicate", "fal", "comfyui"];

const clock = { now: () => new Date() };
const all = await openMakers(() => clock.now());
const opened = all.filter(({ name }) => KINDS.includes(name));
const providerHub: ProviderHub = await openProviderHub(describeCatalogue(all));
clock.now = providerHub.hub.now;
afterAll(() => Promise.all(all.map(({ double }) => double.close())));

/**
 * Returns all plans under SOAK, those without a response only with one step; otherwise some for each kind, which
 * together contain every crash, and every reply except "no response".
 */
function plansOf(index: number): CancelPlan[] {
  const plans = cancelReplies.flatMap((reply) =>
    cancelCrashes.flatMap((crash) => [1, 2].map((steps) => ({ reply, crash, steps }))),
  );
  // The hub waits 15 seconds for each response.
  const quick = plans.filter(({ reply, steps }) => reply !== "no response" || (isSoak && steps === 1));
  const every = soakCount(7, 1);
  return quick.filter((_, n) => n % every === index % every);
}

describe.each(opened.map((maker, index) => ({ name: maker.name, maker, index })))("$name", ({ maker, index }) => {
  test.each(plansOf(index))("is canceled once if it %o", (plan) => check(maker, plan), soakCount(30_000, 180_000));
});

async function check(maker: OpenedMaker, plan: CancelPlan): Promise<void> {
  const { end, answer, accepted } = await runCanceled(providerHub, maker, plan);
  const { status, estimate, billed, spent, reserved, attempts } = end;
  expect(accepted).toBe(1);
  expect(reserved).toBe(0n);
  expect(spent).toBe(billed);
  expect(billed).toBeLessThanOrEqual(estimate);
  expect(attempts).toHaveLength(1);
  expect(attempts[0]!.outcome).toBe(status);
  expect(attempts[0]!.cost).not.toBeNull();
  if (answer !== null) expect(answer).toMatch(status === "canceled" ? /^canceled$/ : /^generation_not_cancelable: /);
  const stops = plan.reply === "confirms" || plan.reply === "502 after";
  expect(status).toBe(stops ? "canceled" : "succeeded");
  if (status === "succeeded") expect(billed).toBeGreaterThan(0n);
  if (maker.name !== "replicate" && status === "canceled") expect(billed).toBe(0n);
}

test("the audit finds no violation", async () => {
  expect(await findViolations(providerHub)).toEqual([]);
});
