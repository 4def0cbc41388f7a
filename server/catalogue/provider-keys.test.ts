import { expect, test } from "vitest";
import { issuesOf } from "../../test/catalogue";
import { parseCatalogue } from "./parse";

const textWith = (settings: string, kind = "fal") => `providers:
  - id: makers
    kind: ${kind}
    ${settings}
models:
  - id: picture
    output_modalities: [image]
    pricing_tiers: [{ match: {}, price_usd: 0.01 }]
    routes:
      - { provider: makers, upstream_model: a, weight: 5 }
      - { provider: makers, upstream_model: b, price_usd: 0.5 }
`;

const variables = { FAL_A: "secret-a", FAL_B: "secret-b" };

test("each key of a provider is a route of its own, with its own limits", () => {
  const text = textWith(`max_in_flight: 9
    api_keys: ["\${FAL_A}", { key: "\${FAL_B}", weight: 3, max_in_flight: 4, spend_limit_usd: 2 }, { key: "\${FAL_C}", retired: true }]`);
  const { models, providers, warnings } = parseCatalogue(text, { file: "FILE", variables });
  expect(models[0]!.routes.map(({ id, entry, weight, provider }) => [id, entry, weight, provider.apiKey])).toEqual([
    ["makers@FAL_A:a", 0, 5, "secret-a"],
    ["makers@FAL_B:a", 0, 5, "secret-b"],
    ["makers@FAL_C:a", 0, 5, null],
    ["makers@FAL_A:b", 1, 1, "secret-a"],
    ["makers@FAL_B:b", 1, 1, "secret-b"],
    ["makers@FAL_C:b", 1, 1, null],
  ]);
  const own = providers.filter(({ catalogueId }) => catalogueId === "makers");
  expect(
    own.map(({ keyVariable, keyWeight, maxInFlight, isRetired }) => [keyVariable, keyWeight, maxInFlight, isRetired]),
  ).toEqual([
    ["FAL_A", 1, 9, false],
    ["FAL_B", 3, 4, false],
    ["FAL_C", 1, 9, true],
  ]);
  expect(own.map(({ spendLimitPerDay }) => spendLimitPerDay)).toEqual([null, 2_000_000_000n, null]);
  expect(warnings.filter((one) => one.startsWith("provider"))).toEqual([
    "provider makers@FAL_C is left out: FAL_C is not set",
  ]);
  // A warning about a route is given once, not once for each key.
  expect(warnings.filter((one) => one.includes("routes["))).toEqual([
    "model picture: routes[0] has no price_usd, so the model's price counts as its cost: add it, or a margin to the catalogue",
    "model picture: routes[1] can cost 0.5 USD, more than the price of 0.01 USD",
  ]);
});

test("a single key keeps the names of routes, and its variable is known", () => {
  const { models } = parseCatalogue(textWith('api_key: "\${FAL_A}"'), { file: "FILE", variables });
  expect(models[0]!.routes.map(({ id, provider }) => [id, provider.keyVariable])).toEqual([
    ["makers:a", "FAL_A"],
    ["makers:b", "FAL_A"],
  ]);
});

test.each([
  [
    "api_keys: [plain-secret]",
    "FILE:4: providers[0].api_keys[0].key: must be one variable without a default, such as ${FAL_KEY_2}",
  ],
  [
    'api_keys: ["\${FAL_A:-x}"]',
    "FILE:4: providers[0].api_keys[0].key: must be one variable without a default, such as ${FAL_KEY_2}",
  ],
  ['api_keys: ["\${FAL_A}", "\${FAL_A}"]', "FILE:4: providers[0].api_keys[1]: repeats FAL_A: a variable names one key"],
  [
    '{ api_key: k, api_keys: ["\${FAL_A}"] }',
    "FILE:4: providers[0].api_keys: conflicts with api_key: list that key here",
  ],
  [
    'api_keys: ["\${HUB_SECRET}"]',
    "FILE:4: providers[0].api_keys[0]: names HUB_SECRET, a setting of the hub, which a catalogue may not read",
  ],
  ['api_keys: [{ key: "\${FAL_A}", weight: 0 }]', "FILE:4: providers[0].api_keys[0].weight: must be"],
])("rejects %s", (settings, issue) => {
  const text = settings.startsWith("{")
    ? textWith("api_key: k").replace("    api_key: k", `    api_key: k\n    api_keys: ["\${FAL_A}"]`)
    : textWith(settings);
  expect(
    issuesOf(text, variables)
      .join("\n")
      .replace(/FILE:\d/, "FILE:4"),
  ).toContain(issue);
});

test("a kind without keys has no list of keys", () => {
  expect(issuesOf(textWith('api_keys: ["\${FAL_A}"]', "sandbox"), variables)[0]).toContain(
    "providers[0].api_keys: is not a setting of a provider of kind sandbox",
  );
});
