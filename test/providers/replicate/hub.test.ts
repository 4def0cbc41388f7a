import { afterAll, expect, test } from "vitest";
import { markBuffer } from "../../media/mark";
import { findViolations, openProviderHub } from "../generation-run";
import { openReplicateDouble } from "./double";
import { OFFICIAL_MODEL } from "./models";
import { type OutcomeName, PICTURE } from "./outcomes";

const PRICE = 3_000_000n;

const double = await openReplicateDouble();
// Every result is polled.
double.settings.callbacks = "lost";
const yaml = `
providers: [{ id: replicate, kind: replicate, base_url: "${double.base}", api_key: test-key-0123456789 }]
models:
  - id: flux-schnell
    timeout_seconds: 60
    output_modalities: [image]
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string } } }
    pricing_tiers: [{ match: {}, price_usd: 0.003 }]
    routes: [{ provider: replicate, upstream_model: ${OFFICIAL_MODEL} }]`;
const providerHub = await openProviderHub(yaml, { EUR_PER_USD: "1" });
afterAll(double.close);

const run = () => providerHub.run("flux-schnell", { prompt: "a cat" });

test("a picture is generated, stored and charged once", async () => {
  const { content } = await markBuffer(PICTURE, "image/png", { model: "flux-schnell" });
  expect(await run()).toMatchObject({
    status: "succeeded",
    billed: PRICE,
    spent: PRICE,
    reserved: 0n,
    outputs: [{ media_type: "image/png", size: BigInt(content.length) }],
  });
});

test.each<[OutcomeName, string]>([
  ["nsfw error", "content_refused"],
  ["interrupted error", "provider_error"],
  ["expired", "invalid_output"],
])("a prediction with %s fails with %s, costs nothing and is not repeated", async (outcome, code) => {
  const accepted = double.accepted.length;
  double.setOutcomes(outcome);
  expect(await run()).toMatchObject({ status: "failed", billed: 0n, spent: 0n, reserved: 0n, error: { code } });
  expect(double.accepted).toHaveLength(accepted + 1);
});

test("the audit finds no violation", async () => {
  expect(await findViolations(providerHub)).toEqual([]);
});
