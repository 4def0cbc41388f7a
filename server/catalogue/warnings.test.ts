import { expect, test } from "vitest";
import { providers } from "../providers/registry";
import { parseCatalogue } from "./parse";

const NOW = new Date("2026-11-22T12:00:00Z");
const warningsOf = (model: string, margin = "margin: 1.25") =>
  parseCatalogue(
    `${margin}
providers:
  - { id: fal, kind: openai, base_url: "https://example.org", api_key: k }
  - { id: free, kind: sandbox }
models:
  - id: m
    parameters_schema:
      type: object
      properties:
        resolution: { enum: [1K, 2K, 4K], default: 1K }
        audio: { type: boolean, default: false }
        pictures: { type: array, default: [], items: { type: string, format: uri } }
${model}`,
    { file: "FILE", variables: {}, now: NOW },
  )
    .warnings.filter((warning) => !warning.includes("is never used"))
    .map((warning) => warning.replace("model m: ", ""));

const flat = "    pricing_tiers: [{ match: {}, price_usd: 0.04 }]\n";
const byResolution = `    pricing_tiers:
      - { match: { resolution: 4K, pictures: present }, price_usd: 0.2 }
      - { match: { resolution: 4K }, price_usd: 0.15 }
      - { match: { audio: true }, price_usd: 0.05 }
      - { match: {}, price_usd: 0.04 }
`;
const routes = (...settings: string[]) =>
  `    routes:\n${settings.map((one) => `      - { provider: fal, ${one} }\n`).join("")}`;

test.each([
  ["2027-01-21", ["routes[0] retires on 2027-01-21, in 60 days"]],
  ["2027-01-22", []],
  ["2026-11-23", ["routes[0] retires on 2026-11-23, in 1 day"]],
  ["2026-11-22", ["routes[0] retired on 2026-11-22"]],
])("warns from sixty days before a route retires: %s", (day, warnings) => {
  expect(warningsOf(flat + routes(`upstream_model: a, retires_at: ${day}`))).toEqual(warnings);
});

test.each<[string, string, string[]]>([
  ["the same", `upstream_model: a, price_usd: 0.05`, []],
  [
    "higher",
    `upstream_model: a, price_usd: 0.050000001`,
    ["routes[0] can cost 0.050000001 USD, more than the price of 0.05 USD"],
  ],
  [
    "higher for some inputs",
    `upstream_model: a, price_usd: 0.03, when: [{ match: { pictures: present }, price_usd: 0.06 }]`,
    ["routes[0] can cost 0.06 USD, more than the price of 0.05 USD"],
  ],
])("warns of a route whose cost is above the price: %s", (_, settings, warnings) => {
  expect(warningsOf(flat + routes(settings))).toEqual(warnings);
});

test("compares cost and price for each combination of values that prices depend on", () => {
  const withWhen = (...when: string[]) =>
    warningsOf(byResolution + routes(`upstream_model: a, price_usd: 0.05, when: [${when.join(", ")}]`));
  expect(withWhen("{ match: { resolution: 4K }, price_usd: 0.1875 }")).toEqual([]);
  expect(withWhen("{ match: { resolution: 4K, pictures: absent }, price_usd: 0.19 }")).toEqual([
    "routes[0] can cost 0.19 USD for resolution 4K, more than the price of 0.1875 USD",
  ]);
  expect(
    withWhen("{ match: { audio: true }, price_usd: 0.06 }", "{ match: { resolution: 2K }, price_usd: 0.06 }"),
  ).toEqual(["routes[0] can cost 0.06 USD, more than the price of 0.05 USD"]);
});

test("ignores inputs that a route does not accept", () => {
  const route = "upstream_model: a, price_usd: 0.18, accepts: { resolution: [4K] }";
  expect(warningsOf(byResolution + routes(route))).toEqual([]);
});

test("compares the cost of further units with their price", () => {
  const model = `    pricing: { per: image, tiers: [{ match: {}, price_usd: 0.04, next_price_usd: 0.02 }] }\n`;
  expect(warningsOf(model + routes("upstream_model: a, price_usd: 0.04"))).toEqual([
    "routes[0] can cost 0.04 USD, more than the price of 0.025 USD",
  ]);
});

test("warns of prices below their cost", () => {
  expect(warningsOf(flat + routes("upstream_model: a"), "margin: 0.5")).toEqual([
    "routes[0] can cost 0.04 USD, more than the price of 0.02 USD",
  ]);
});

test("warns of an unknown cost unless the catalogue has a margin or the route costs nothing", () => {
  const model = `${flat}${routes("upstream_model: a", "upstream_model: b, price_usd: 0.01")}      - { provider: free }\n`;
  expect(warningsOf(model)).toEqual([]);
  expect(warningsOf(model, "")).toEqual([
    "routes[0] has no price_usd, so the model's price counts as its cost: add it, or a margin to the catalogue",
  ]);
});

test("warns of a route of a kind that does not serve such models, and of inputs that it cannot get", () => {
  const catalogue = `
providers:
  - { id: own, kind: openai, base_url: "https://example.org" }
  - { id: box, kind: cog, base_url: "https://example.org" }
models:
  - id: text
    llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 10 }
    routes: [{ provider: own, upstream_model: a, inputs: upload }, { provider: box }]
`;
  const modes = (providers.openai!.inputModes ?? ["read"]).join(" or ");
  expect(parseCatalogue(catalogue, { file: "FILE", variables: {} }).warnings).toEqual([
    `model text: routes[0] has inputs upload, which kind openai does not support: use ${modes}`,
    "model text: routes[1] is never used: kind cog serves no text models",
  ]);
});
