import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { seed, soakCount } from "../soak";
import { submitFaults } from "./double";
import type { EndedRun } from "./ended-run";
import { findViolations, openProviderHub } from "./generation-run";
import { openFalDouble } from "./fal/double";
import { openReplicateDouble } from "./replicate/double";

const RUNS = soakCount(25, 1_000);
const FAULT_PERCENT = 30;
/** Nano-euros at the rate of 0.92: what each maker takes for one job, and what a customer pays. */
const COSTS = { first: 2_760_000n, second: 3_680_000n };
const PRICE = 4_600_000n;

const first = await openReplicateDouble();
const second = await openFalDouble();
afterAll(() => Promise.all([first.close(), second.close()]));

const catalogue = `
providers:
  - { id: first, kind: replicate, base_url: "${first.base}", api_key: test-key-0123456789 }
  - { id: second, kind: fal, base_url: "${second.url}", api_key: test-key-0123456789 }
models:
  - id: picture
    output_modalities: [image]
    timeout_seconds: 300
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string, maxLength: 100 } } }
    pricing_tiers: [{ match: {}, price_usd: 0.005 }]
    routes:
      - { provider: first, upstream_model: black-forest-labs/flux-schnell, price_usd: 0.003 }
      - { provider: second, upstream_model: fal-ai/flux/schnell, price_usd: 0.004 }
`;

// A submit without any response would take a real second each; the matrix has them.
const faults = submitFaults.filter((fault) => fault !== "no response");
const randomFault = fc.oneof(
  { weight: FAULT_PERCENT, arbitrary: fc.constantFrom(...faults) },
  { weight: 100 - FAULT_PERCENT, arbitrary: fc.constant(null) },
);

test(
  `${RUNS} jobs on two routes all end and agree with the ledger, although the first route fails in every way`,
  { timeout: soakCount(60_000, 900_000) },
  async () => {
    const hub = await openProviderHub(catalogue);
    const [plan] = fc.sample(fc.array(randomFault, { minLength: RUNS, maxLength: RUNS }), { seed, numRuns: 1 });
    const ended: EndedRun[] = [];
    for (const [n, fault] of plan!.entries()) {
      if (fault) first.failNextSubmits(fault);
      ended.push(await hub.run("picture", { prompt: `job ${n}` }));
      first.clearFaults();
    }

    const succeeded = ended.filter(({ status }) => status === "succeeded");
    expect(ended.every(({ status, error }) => status === "succeeded" || error !== null)).toBe(true);
    expect(succeeded.every(({ billed, spent }) => billed === PRICE && spent === PRICE)).toBe(true);
    expect(ended.filter(({ status }) => status === "failed").every(({ spent }) => spent === 0n)).toBe(true);

    for (const [name, double] of [
      ["first", first],
      ["second", second],
    ] as const) {
      const attempts = ended
        .flatMap((run) => run.attempts)
        .filter(({ route, outcome }) => route.startsWith(`${name}:`) && outcome !== "refused");
      const lost = attempts.filter(({ outcome }) => outcome === "lost").length;
      const booked = attempts.reduce((sum, { cost }) => sum + (cost ?? 0n), 0n);
      // An attempt that is lost may not have been billed; all others were, once each.
      expect(booked).toBe(BigInt(attempts.length) * COSTS[name]);
      expect(double.accepted.length).toBeLessThanOrEqual(attempts.length);
      expect(double.accepted.length).toBeGreaterThanOrEqual(attempts.length - lost);
      expect(succeeded.some(({ attempts }) => attempts.at(-1)!.route.startsWith(`${name}:`))).toBe(true);
    }
    expect(await findViolations(hub)).toEqual([]);
  },
);
