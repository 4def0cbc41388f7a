import { expect, test } from "vitest";
import { catalogueOf } from "../../../test/catalogue";
import { isCatalogueError } from "../catalogue-error";
import { matchesPattern } from "./book";
import { checkBooks } from "./check-books";
import { parseBooks } from "./parse-books";

const catalogue = catalogueOf(`
  - id: flux
    output_modalities: [image]
    parameters_schema: { type: object, properties: { size: { enum: [s, l], default: s } } }
    pricing_tiers: [{ match: { size: l }, price_usd: 0.1 }, { match: {}, price_usd: 0.05 }]
    routes: [{ provider: openai, upstream_model: a, price_usd: 0.045 }]
  - id: gpt
    llm: { input_cost_per_million: 2, cached_input_cost_per_million: 0.2, output_cost_per_million: 8, max_output_tokens: 100 }
    routes: [{ provider: openai, upstream_model: b }]
  - id: own
    output_modalities: [image]
    pricing_tiers: [{ match: {}, price_usd: 0.05 }]
    routes: [{ provider: first, upstream_model: c }]`);

async function issuesOf(books: string): Promise<string[]> {
  try {
    await checkBooks(parseBooks(books, "FILE"), catalogue);
    return [];
  } catch (error) {
    if (isCatalogueError(error)) return error.message.split("\n");
    throw error;
  }
}

test.each([
  ["gpt-*", "gpt-4o", true],
  ["gpt-*", "agpt-4o", false],
  ["*", "anything", true],
  ["gpt", "gpt", true],
  ["gpt", "gpt-4o", false],
  ["a*b*c", "a-b-c", true],
  ["a*b*c", "abc", true],
  ["ab*bc", "abc", false],
  ["*-mini", "gpt-4o-mini", true],
  ["a**b", "ab", true],
  ["a*ab*b", "aab", false],
])("the pattern %s and the model %s match: %s", (pattern, id, matches) => {
  expect(matchesPattern(pattern, id)).toBe(matches);
});

test("books that earn money have no issue", async () => {
  expect(
    await issuesOf(`
books:
  - id: partners
    multipliers: [{ models: flux, multiplier: 0.9 }, { models: "g*", multiplier: 1.1 }]
    fixed: [{ model: own, pricing_tiers: [{ match: {}, price_usd: 0.001 }] }]
    trial_credit: 5`),
  ).toEqual([]);
});

test.each([
  [
    "a multiplier below cost",
    "multipliers: [{ models: flux, multiplier: 0.899999 }]",
    [
      "FILE:2: books[0].multipliers[0]: sells flux below cost: route openai:a can cost 0.045 USD, more than the price of 0.04499995 USD",
    ],
  ],
  [
    "a discount below cost, at its highest volume",
    "volume_discounts: [{ from: 5, discount: 0.05 }, { from: 9, discount: 0.2 }], models: [flux]",
    [
      "FILE:2: books[0].volume_discounts: sells flux below cost: route openai:a can cost 0.045 USD, more than the price of 0.04 USD",
    ],
  ],
  [
    "a fixed price below cost",
    "fixed: [{ model: flux, pricing_tiers: [{ match: {}, price_usd: 0.04 }] }]",
    [
      "FILE:2: books[0].fixed[0]: sells flux below cost: route openai:a can cost 0.045 USD, more than the price of 0.04 USD",
    ],
  ],
  [
    "tokens below the catalogue, where no cost is known",
    "multipliers: [{ models: gpt, multiplier: 0.5 }]",
    [expect.stringMatching(/sells gpt below cost: route openai:b takes 2 EUR per million .* price of 1 EUR/)],
  ],
  [
    "a class without a fixed price",
    "fixed: [{ model: gpt, llm: { input_cost_per_million: 3, output_cost_per_million: 9 } }]",
    ["FILE:2: books[0].fixed[0].llm.cached_input_cost_per_million: is required, because the catalogue has this price"],
  ],
  [
    "a price of another kind",
    "fixed: [{ model: gpt, price_per_second: 1 }]",
    ["FILE:2: books[0].fixed[0]: gpt needs llm, as it has in the catalogue"],
  ],
  [
    "a value that no input has",
    "fixed: [{ model: flux, pricing_tiers: [{ match: { size: x }, price_usd: 1 }, { match: {}, price_usd: 1 }] }]",
    ['FILE:2: books[0].fixed[0].pricing_tiers[0].match.size: "x" is not a valid value of the parameter'],
  ],
  ["an unknown model", "models: [fluxx]", ['FILE:2: books[0].models[0]: matches no model: "fluxx"']],
  [
    "discounts out of order",
    "volume_discounts: [{ from: 9, discount: 0.1 }, { from: 5, discount: 0.2 }]",
    ["FILE:2: books[0].volume_discounts[1]: must have more volume and discount than the entry before"],
  ],
  [
    "a multiplier with too many places",
    "multipliers: [{ models: flux, multiplier: 1.0000001 }]",
    ["FILE:2: books[0].multipliers[0].multiplier: may have at most 6 decimal places"],
  ],
  [
    "a discount of everything",
    "volume_discounts: [{ from: 9, discount: 1 }]",
    [expect.stringContaining("must be a part below 1 with at most 3 decimal places")],
  ],
  ["an unknown setting", "margin: 2", ["FILE:2: books[0].margin: is not a setting"]],
])("reports %s", async (_name, settings, issues) => {
  expect(await issuesOf(`books:\n  - { id: partners, ${settings} }`)).toEqual(issues);
});

test("reports a book and a fixed price that exist twice", async () => {
  const fixed = "{ model: own, pricing_tiers: [{ match: {}, price_usd: 1 }] }";
  expect(await issuesOf(`books:\n  - { id: a, fixed: [${fixed}, ${fixed}] }\n  - { id: a }`)).toEqual([
    "FILE:2: books[0].fixed[1].model: own has a fixed price already",
    "FILE:3: books[1].id: a is already used",
  ]);
});
