import { afterAll, expect, test } from "vitest";
import { findViolations, openProviderHub } from "../generation-run";
import { openFalDouble } from "./double";
import { describeInvalid, FAL_KEY } from "./samples";

const double = await openFalDouble();
const providerHub = await openProviderHub(`
providers: [{ id: fal, kind: fal, base_url: "${double.url}", api_key: "${FAL_KEY}" }]
models:
  - id: picture
    output_modalities: [image]
    parameters_schema: { type: object, properties: { prompt: { type: string, maxLength: 100 } } }
    pricing_tiers: [{ match: {}, price_usd: 0.004 }]
    routes: [{ provider: fal, upstream_model: fal-ai/flux/schnell }]
`);
afterAll(double.close);

test.each([
  ["a refusal", describeInvalid("prompt", "content_policy_violation"), 422, "content_refused"],
  ["a picture elsewhere", { image: { url: "http://127.0.0.1:9/a", content_type: "image/png" } }, 200, "invalid_output"],
  ["no picture", { seed: 1 }, 200, "invalid_output"],
])(
  "a job that ends with %s fails, is paid once at most, and costs the customer nothing",
  async (_, body, status, code) => {
    double.endNextJobs({ result: { status, body } });
    const accepted = double.accepted.length;
    const end = await providerHub.run("picture", { prompt: "a tree" });
    expect(end).toMatchObject({ status: "failed", billed: 0n, spent: 0n, error: { code } });
    expect(double.accepted).toHaveLength(accepted + 1);
  },
);

test("the audit finds no violation", async () => {
  expect(await findViolations(providerHub)).toEqual([]);
});
