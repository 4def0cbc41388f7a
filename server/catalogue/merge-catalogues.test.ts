import { expect, test } from "vitest";
import { mergeCatalogues, type MergeOptions } from "./merge-catalogues";
import { parseCatalogue } from "./parse";

const own = `# Models of the house.
margin: 1.2
providers:
  # Ours, on the second floor.
  - { id: local, kind: openai, base_url: "http://127.0.0.1:8000/v1" } # no key
  - { id: fal, kind: fal, api_key: "\${FAL_OWN_KEY}", max_in_flight: 2 }

models:
  # The first one.
  - id: house
    llm: { input_cost_per_million: 0.10, output_cost_per_million: 0.60, max_output_tokens: 100 }
    routes: [{ provider: local, upstream_model: qwen3, refuse: [tools] }]
`;

const shared = `# Prices of 22 November 2026.
providers:
  - { id: fal, kind: fal, api_key: "\${FAL_KEY}" }
  - { id: replicate, kind: replicate, api_key: "\${REPLICATE_API_TOKEN}" }
  - { id: unused, kind: bfl, api_key: k }
models:
  # Fast.
  - id: schnell
    pricing_tiers: [{ match: {}, price_usd: 0.003 }] # replicate.com/pricing, 7 Oct 2026
    parameters_schema: { type: object, properties: { ratio: &ratio { enum: ["1:1"] } } }
    routes:
      - { provider: fal, upstream_model: fal-ai/flux/schnell }
      - { provider: sandbox }
  - id: dev
    pricing_tiers: [{ match: {}, price_usd: 0.025 }]
    parameters_schema: { type: object, properties: { ratio: *ratio } }
    routes: [{ provider: replicate, upstream_model: dev }]
`;

const merge = (target: string | null, options: Partial<MergeOptions> = {}, source = shared) =>
  mergeCatalogues(
    target === null ? null : { file: "own.yaml", text: target },
    { file: "shared.yaml", text: source },
    { replace: false, ...options },
  );
const idsOf = (text: string) => {
  const { models, providers } = parseCatalogue(text, { file: "result", variables: {} });
  return [providers.map(({ id }) => id).slice(2), models.map(({ id }) => id)];
};

test("adds models and their providers to the end, and keeps what was there to the letter", () => {
  const { text, providers, models, warnings } = merge(own, { models: ["schnell"] });
  expect(text).toBe(`${own}
  # Fast.
  - id: schnell
    pricing_tiers: [{ match: {}, price_usd: 0.003 }] # replicate.com/pricing, 7 Oct 2026
    parameters_schema: { type: object, properties: { ratio: { enum: ["1:1"] } } }
    routes:
      - { provider: fal, upstream_model: fal-ai/flux/schnell }
      - { provider: sandbox }
`);
  expect([providers, models]).toEqual([[], ["schnell"]]);
  expect(warnings).toEqual(["the margin 1 of shared.yaml is not added: prices are multiplied by 1.2"]);
});

test("adds only the providers that are used and that are not there yet", () => {
  const { text, providers, models } = merge(own);
  expect([providers, models]).toEqual([["replicate"], ["schnell", "dev"]]);
  expect(idsOf(text)).toEqual([
    ["local", "fal", "replicate"],
    ["house", "schnell", "dev"],
  ]);
  expect(text).toContain('api_key: "${FAL_OWN_KEY}"');
  expect(text).not.toMatch(/[&*]ratio/);
});

test.each([null, "", "# nothing yet\n", "models: []\nproviders: []\n", "providers:\nmodels:\n"])(
  "adds to an empty catalogue: %j",
  (target) => {
    const { text } = merge(target);
    expect(idsOf(text)).toEqual([
      ["fal", "replicate"],
      ["schnell", "dev"],
    ]);
    expect(text).toContain("# replicate.com/pricing, 7 Oct 2026");
    expect(text.includes("# Prices of 22 November 2026.")).toBe(target === null);
  },
);

test("adds to a catalogue in one line and to one in JSON", () => {
  const model = '{ "id": "house", "pricing_tiers": [{ "match": {}, "price_usd": 1 }] }';
  for (const text of [`{ "models": [${model}] }`, `models: [${model}]\n`])
    expect(idsOf(merge(text).text)[1]).toEqual(["house", "schnell", "dev"]);
});

test("rejects ids that are there already unless they are replaced, in their place", () => {
  const earlier = merge(own).text.replace("0.003 }", "0.009 }");
  expect(() => merge(earlier, { models: ["dev", "schnell"] })).toThrow(
    "own.yaml already has schnell, dev: use --replace to replace, or choose other models.",
  );
  const { text } = merge(earlier, { models: ["schnell"], replace: true });
  expect(text).toBe(merge(own).text);
});

test("rejects unknown models, and providers that are something else", () => {
  expect(() => merge(own, { models: ["schnel"] })).toThrow("shared.yaml has no model schnel: it has schnell, dev.");
  const other = own.replace("{ id: fal, kind: fal", '{ id: fal, kind: cog, base_url: "http://x"');
  expect(() => merge(other, { replace: true })).toThrow(
    "Provider fal is of kind cog in own.yaml, and of kind fal in shared.yaml.",
  );
});

test("adding twice with --replace changes nothing", () => {
  const once = merge(own).text;
  expect(merge(once, { replace: true }).text).toBe(once);
});
