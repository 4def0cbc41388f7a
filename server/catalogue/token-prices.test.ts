import { expect, test } from "vitest";
import { parseCatalogue } from "./parse";

const PLAIN = "input_cost_per_million: 2, output_cost_per_million: 10";
const catalogue = (llm: string, route = "", model = "") => `
providers: [{ id: up, kind: openai, base_url: "http://127.0.0.1/v1", api_key: x }]
models:
  - { id: m, ${model} llm: { max_output_tokens: 100, ${llm} }, routes: [{ provider: up, upstream_model: u, ${route} }] }
`;
const parse = (...parts: Parameters<typeof catalogue>) =>
  parseCatalogue(catalogue(...parts), { file: "test.yaml", variables: {} });
const issuesOf = (...parts: Parameters<typeof catalogue>): string => {
  try {
    parse(...parts);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

test("reads prices by class, length and tier, of a model and of its routes", () => {
  const { models, warnings } = parse(
    `${PLAIN}, cached_input_cost_per_million: 0.1, cache_write_cost_per_million: 2.5, implicit_cache_writes: true,
     long_context: [{ above: 272000, input_cost_per_million: 4, output_cost_per_million: 15, cache_write_cost_per_million: 5 }],
     service_tiers: { flex: 0.5, priority: 2 }`,
    `llm_cost: { ${PLAIN}, cached_input_cost_per_million: 0.1, service_tiers: { flex: 0.5, priority: 2 } }`,
  );
  const perMillion = { input: 2_000_000_000n, output: 10_000_000_000n };
  const [model] = models.values();
  expect(warnings).toEqual([]);
  expect(model).toMatchObject({
    pricing: {
      perMillion: { ...perMillion, cached_input: 100_000_000n, cache_write: 2_500_000_000n },
      longContext: [{ above: 272_000, perMillion: { input: 4_000_000_000n, cache_write: 5_000_000_000n } }],
      serviceTiers: { flex: 500_000_000n, priority: 2_000_000_000n },
      writesImplicitly: true,
    },
    routes: [{ tokenCosts: { perMillion, longContext: [], serviceTiers: { priority: 2_000_000_000n } } }],
  });
});

const entry = (above: number, more = "") => `{ above: ${above}, ${PLAIN}, ${more} }`;

test.each([
  [
    "implicit writes without a price",
    `${PLAIN}, implicit_cache_writes: true`,
    "is required with implicit_cache_writes",
  ],
  [
    "a long cache alone",
    `${PLAIN}, cache_write_long_cost_per_million: 4`,
    "is required with cache_write_long_cost_per_million",
  ],
  [
    "lengths out of order",
    `${PLAIN}, long_context: [${entry(5)}, ${entry(5)}]`,
    "must be greater than that of the entry before",
  ],
  [
    "a length without the price of writes",
    `${PLAIN}, cache_write_cost_per_million: 3, long_context: [${entry(5)}]`,
    "is required, because shorter prompts have this price",
  ],
  [
    "a length without its plain prices",
    `${PLAIN}, long_context: [{ above: 5, input_cost_per_million: 1 }]`,
    "output_cost_per_million",
  ],
  ["a tier that is no word", `${PLAIN}, service_tiers: { "a b": 2 }`, "must be a word such as flex or priority"],
  ["a negative multiplier", `${PLAIN}, service_tiers: { flex: -1 }`, "must be a decimal from 0 to 100"],
])("rejects %s", (_name, llm, message) => {
  expect(issuesOf(llm)).toContain(message);
});

test("rejects costs of tokens on a route of another kind of model", () => {
  const text = `
providers: [{ id: up, kind: fal, api_key: x }]
models:
  - { id: m, pricing_tiers: [{ match: {}, price_usd: 1 }], routes: [{ provider: up, upstream_model: u, llm_cost: { ${PLAIN} } }] }
`;
  expect(() => parseCatalogue(text, { file: "test.yaml", variables: {} })).toThrow("is only for models priced by llm");
});

test.each([
  [
    "a class",
    "",
    `llm_cost: { ${PLAIN}, cached_input_cost_per_million: 0.3 }`,
    "takes 0.3 EUR per million cached input tokens, more than their price of 0.1 EUR",
  ],
  [
    "a length",
    "",
    `llm_cost: { ${PLAIN}, long_context: [{ above: 9, input_cost_per_million: 4, output_cost_per_million: 10 }] }`,
    "takes 4 EUR per million input tokens above 9 input tokens, more than their price of 2 EUR",
  ],
  [
    "a service tier",
    "",
    `llm_cost: { ${PLAIN}, service_tiers: { priority: 2 } }`,
    "takes 4 EUR per million input tokens in the tier priority, more than their price of 2 EUR",
  ],
  [
    "audio that is rejected",
    "input_modalities: [text, audio],",
    "",
    "llm has no audio_input_cost_per_million, so requests with audio are rejected",
  ],
])("warns of %s", (_name, model, route, warning) => {
  const { warnings } = parse(`${PLAIN}, cached_input_cost_per_million: 0.1`, route, model);
  expect(warnings.join("\n")).toContain(warning);
});
