import { expect, test } from "vitest";
import { ApiError } from "../providers/http/call-api";
import type { Provider } from "../providers/provider";
import { checkOnline } from "./check-online";
import { parseCatalogue } from "./parse";

const { models } = parseCatalogue(
  `
providers:
  - { id: fal, kind: fal, api_key: "\${FAL_KEY}" }
  - { id: bfl, kind: bfl, api_key: "\${BFL_API_KEY}" }
  - { id: box, kind: cog, base_url: "http://127.0.0.1:5000" }
models:
  - id: a
    pricing_tiers: [{ match: {}, price_usd: 1 }]
    parameters_schema: { type: object, properties: { pictures: { type: array } } }
    routes:
      - { provider: fal, upstream_model: text, when: [{ match: { pictures: present }, upstream_model: edit }] }
      - { provider: bfl, upstream_model: text }
      - { provider: sandbox }
  - id: b
    pricing_tiers: [{ match: {}, price_usd: 1 }]
    routes: [{ provider: fal, upstream_model: text }, { provider: fal, upstream_model: gone }, { provider: box }]
  - id: c
    pricing_tiers: [{ match: {}, price_usd: 1 }]
    routes: [{ provider: fal, upstream_model: broken }, { provider: fal, upstream_model: silent }]
`,
  { file: "F", variables: { FAL_KEY: "k" } },
);

test("asks each provider once for each upstream model, in bounded time", async () => {
  const asked: string[] = [];
  const fal: Provider = {
    check: async ({ upstreamModel }, { signal }) => {
      asked.push(upstreamModel!);
      if (upstreamModel === "gone") return "There is no model gone.";
      if (upstreamModel === "broken") throw new ApiError("no", "The provider cannot be reached.");
      if (upstreamModel === "silent")
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      return null;
    },
  };
  const checks = await checkOnline(models, { allowHosts: [], kinds: { fal, bfl: fal, cog: {} }, timeoutMs: 50 });
  expect(asked).toEqual(["text", "edit", "gone", "broken", "silent"]);
  expect(checks).toEqual([
    { provider: "fal", upstream_model: "text", models: ["a", "b"], result: "ok", problem: null },
    { provider: "fal", upstream_model: "edit", models: ["a"], result: "ok", problem: null },
    { provider: "bfl", upstream_model: "text", models: ["a"], result: "failed", problem: "BFL_API_KEY is not set." },
    { provider: "fal", upstream_model: "gone", models: ["b"], result: "failed", problem: "There is no model gone." },
    { provider: "box", upstream_model: null, models: ["b"], result: "not_checked", problem: null },
    {
      provider: "fal",
      upstream_model: "broken",
      models: ["c"],
      result: "failed",
      problem: "The provider cannot be reached.",
    },
    {
      provider: "fal",
      upstream_model: "silent",
      models: ["c"],
      result: "failed",
      problem: "The provider did not respond in time.",
    },
  ]);
});
