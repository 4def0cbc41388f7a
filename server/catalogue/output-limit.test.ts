import { expect, test } from "vitest";
import { chooseOutputLimit } from "./output-limit";
import { parseCatalogue } from "./parse";

const read = (baseUrl: string, settings: string) =>
  parseCatalogue(
    `
providers: [{ id: up, kind: openai, base_url: "${baseUrl}", api_key: k }]
models:
  - id: m
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 1000, max_output_tokens: 100 }
    routes: [{ provider: up, ${settings} }]`,
    { file: "FILE", variables: {} },
  );

const OPENAI = "https://api.openai.com/v1";
const LOCAL = "http://127.0.0.1:8000/v1";

test.each([
  [OPENAI, "gpt-4o-mini", "max_completion_tokens"],
  [LOCAL, "qwen3", "max_tokens"],
  [LOCAL, "gpt-4o", "max_tokens"],
  [LOCAL, "gpt-5.1-codex", "max_completion_tokens"],
  [LOCAL, "openai/gpt-5", "max_completion_tokens"],
  [LOCAL, "gpt-10", "max_completion_tokens"],
  [LOCAL, "o4-mini", "max_completion_tokens"],
  [LOCAL, "o1", "max_completion_tokens"],
  [LOCAL, "openai/gpt-oss-120b", "max_tokens"],
  [LOCAL, "olmo-2", "max_tokens"],
  [LOCAL, "gpt-50k-lora", "max_tokens"],
  ["https://openrouter.ai/api/v1", "openai/gpt-5", "max_tokens"],
])("%s takes the limit of %s as %s", (baseUrl, upstreamModel, expected) => {
  const [route] = read(baseUrl, `upstream_model: ${upstreamModel}`).models[0]!.routes;
  expect(chooseOutputLimit(route!, route!.upstreamModel!)).toBe(expected);
});

test.each([
  ["upstream_model: gpt-5, output_limit: max_tokens", true],
  ["upstream_model: gpt-5, output_limit: max_completion_tokens", false],
  ["upstream_model: gpt-5", false],
  ["upstream_model: qwen3, output_limit: max_completion_tokens", false],
])("a route whose model refuses the name of its limit is warned of: %s", (settings, isWarned) => {
  const { warnings } = read(LOCAL, settings);
  expect(warnings).toEqual(
    isWarned ? ["model m: routes[0] sends max_tokens, which gpt-5 refuses or will: remove output_limit"] : [],
  );
});

test("only text models have the setting", () => {
  const text = `
providers: [{ id: up, kind: openai, base_url: "${LOCAL}" }]
models:
  - id: m
    pricing_tiers: [{ match: {}, price_usd: 0.04 }]
    routes: [{ provider: up, upstream_model: x, output_limit: max_tokens }]`;
  expect(() => parseCatalogue(text, { file: "FILE", variables: {} })).toThrow(
    /output_limit.*only for models priced by llm/,
  );
});
