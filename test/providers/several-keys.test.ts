import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { seed, soakCount } from "../soak";
import type { Crash } from "./dying-process";
import type { EndedRun } from "./ended-run";
import { findViolations, openProviderHub } from "./generation-run";
import { openReplicateDouble } from "./replicate/double";

const RUNS = soakCount(20, 1_000);
const KEYS = { REPLICATE_A: "key-a-0123456789", REPLICATE_B: "key-b-0123456789", REPLICATE_C: "key-c-0123456789" };

const clock = { now: () => new Date() };
const double = await openReplicateDouble({ now: () => clock.now() });
double.settings.keys = Object.values(KEYS);
double.settings.statuses = ["processing", "processing"];
afterAll(() => double.close());

const catalogue = `
providers:
  - id: makers
    kind: replicate
    base_url: "${double.base}"
    api_keys: ["\${REPLICATE_A}", { key: "\${REPLICATE_B}", weight: 3, max_in_flight: 4 }, "\${REPLICATE_C}"]
models:
  - id: picture
    output_modalities: [image]
    timeout_seconds: 300
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string, maxLength: 100 } } }
    pricing_tiers: [{ match: {}, price_usd: 0.005 }]
    routes: [{ provider: makers, upstream_model: black-forest-labs/flux-schnell, price_usd: 0.003 }]
`;

const crashes = ["nowhere", "before the submit", "after the submit", "in the second step", "at the end"] as const;

function toCrash(point: (typeof crashes)[number]): Crash | undefined {
  const before = double.accepted.length;
  if (point === "after the submit") return { step: 1, isDead: () => double.accepted.length > before };
  const steps = { nowhere: null, "before the submit": 1, "in the second step": 2, "at the end": "end" } as const;
  return steps[point] === null ? undefined : { step: steps[point] };
}

test(
  `${RUNS} jobs with three keys, of which one is revoked in the middle, are each bought once and all end`,
  { timeout: soakCount(60_000, 900_000) },
  async () => {
    const providerHub = await openProviderHub(catalogue, {}, KEYS);
    clock.now = providerHub.hub.now;
    const [plan] = fc.sample(fc.array(fc.constantFrom(...crashes), { minLength: RUNS, maxLength: RUNS }), {
      seed,
      numRuns: 1,
    });
    const ended: EndedRun[] = [];
    const middle = Math.floor(RUNS / 2);
    for (const [n, point] of plan!.entries()) {
      const revoke = async () => {
        // The job that runs just then was submitted with the key that is revoked.
        const key = n === middle && double.predictions.at(-1)?.key;
        if (key) double.settings.keys = double.settings.keys.filter((other) => other !== key);
      };
      const [crash, afterStep] = n === middle ? [undefined, revoke] : [toCrash(point), undefined];
      ended.push(await providerHub.run("picture", { prompt: `job number ${n}.` }, { crash, afterStep }));
    }

    const acceptedOf = (n: number) => double.accepted.filter(({ body }) => body.includes(`job number ${n}.`));
    const revoked = Object.entries(KEYS).find(([, key]) => !double.settings.keys.includes(key))![0];
    for (const [n, { status, billed, spent, reserved, estimate, attempts }] of ended.entries()) {
      const buys = attempts.filter(({ outcome }) => outcome !== "refused");
      expect(acceptedOf(n).length, `${n}`).toBeLessThanOrEqual(buys.length);
      expect(buys.length, `${n}`).toBeLessThanOrEqual(1);
      expect(reserved).toBe(0n);
      expect([billed, spent]).toEqual(status === "succeeded" ? [estimate, estimate] : [0n, 0n]);
      // A key that the provider no longer knows takes only itself out of use.
      if (n > middle) expect(buys.map(({ route }) => route.split(":")[0])).not.toContain(`makers@${revoked}`);
    }
    const failed = ended.flatMap(({ status }, n) => (status === "succeeded" ? [] : [n]));
    // A process that dies before its submit returns cannot know whether it was bought, so nobody buys it again.
    const mayFail = (n: number) => n === middle || plan![n] === "before the submit" || plan![n] === "after the submit";
    expect(failed.filter((n) => !mayFail(n))).toEqual([]);
    const used = new Set(ended.flatMap(({ attempts }) => attempts.map(({ route }) => route.split(":")[0])));
    expect(used).toEqual(new Set(Object.keys(KEYS).map((name) => `makers@${name}`)));
    expect(await findViolations(providerHub)).toEqual([]);
  },
);
