import { expect, test } from "vitest";
import { issuesOf, modelFrom } from "../../test/catalogue";
import { priceUnitNames, priceUnits } from "./price-units";

const model = (pricing: string, margin = "") => `${margin}
models:
  - id: m
    pricing: { ${pricing} }
    parameters_schema:
      type: object
      required: [text, width]
      properties:
        n: { type: integer, minimum: 1, maximum: 4, default: 1 }
        none: { enum: [1, 0], default: 1 }
        free: { type: integer, default: 1 }
        half: { type: number, minimum: 0.5, maximum: 10, default: 1 }
        optional: { type: integer, minimum: 1, maximum: 4 }
        duration: { enum: ["5", "10", 12.5], default: "5" }
        auto: { enum: [auto, 5], default: auto }
        width: { type: integer, minimum: 64, maximum: 2048 }
        height: { type: integer, minimum: 64, maximum: 2048, default: 1024 }
        size: { enum: [square, wide, 2], default: square }
        text: { type: string, maxLength: 4000 }
        pictures: { type: array, maxItems: 8, items: { type: string, format: uri } }
`;

const tiers = "tiers: [{ match: {}, price_usd: 0.01 }]";

test.each([
  [`per: image, times: n, ${tiers}`, { unit: "image", quantity: { from: "number", parameter: "n" } }],
  [`per: image, ${tiers}`, { unit: "image", quantity: { from: "max", count: 1 } }],
  [`per: second, times: duration, ${tiers}`, { unit: "second", quantity: { from: "number", parameter: "duration" } }],
  [`per: second, times: half, ${tiers}`, { unit: "second", quantity: { from: "number", parameter: "half" } }],
  [`per: 1k_characters, times: text, ${tiers}`, { quantity: { from: "characters", parameter: "text" } }],
  [`per: minute, max_minutes: 90, ${tiers}`, { unit: "minute", quantity: { from: "max", count: 90 } }],
  [
    `per: 1k_output_tokens, max_output_tokens: 6240, ${tiers}`,
    { unit: "1k_output_tokens", quantity: { from: "max", count: 6.24 } },
  ],
  [
    `per: megapixel, width: width, height: height, inputs: { pictures: 4 }, ${tiers}`,
    {
      quantity: {
        from: "megapixels",
        size: { width: "width", height: "height" },
        inputs: { pictures: 4 },
        times: null,
      },
    },
  ],
  [
    `per: megapixel, size: { size: { square: 1, wide: 2, 2: 4 } }, times: n, ${tiers}`,
    {
      quantity: {
        from: "megapixels",
        size: {
          parameter: "size",
          megapixels: new Map([
            ['"square"', 1],
            ['"wide"', 2],
            ["2", 4],
          ]),
        },
        inputs: {},
        times: "n",
      },
    },
  ],
])("reads a price: %s", (pricing, expected) => {
  expect(modelFrom(model(pricing)).pricing).toMatchObject({ by: "tier", ...expected });
});

test.each(priceUnitNames)("reads the documented example of a price per %s", (unit) => {
  const documented = `
models:
  - id: m
    pricing: { ${priceUnits[unit].example}, ${tiers} }
    parameters_schema:
      type: object
      required: [text]
      properties:
        text: { type: string, maxLength: 4000 }
        num_images: { type: integer, minimum: 1, maximum: 4, default: 1 }
        duration: { enum: ["5", "10"], default: "5" }
        width: { type: integer, minimum: 64, maximum: 2048, default: 1024 }
        height: { type: integer, minimum: 64, maximum: 2048, default: 1024 }
`;
  expect(modelFrom(documented).pricing).toMatchObject({ by: "tier", unit });
});

test("the margin multiplies prices in USD, rounded up to a nano-dollar, and leaves the costs", () => {
  const priced = model(
    "per: second, times: half, tiers: [{ match: {}, price_usd: 0.010000001, next_price_usd: 0.01 }]",
    "margin: 1.25",
  );
  expect(modelFrom(priced).pricing).toMatchObject({
    tiers: [{ price: { first: 12_500_002n, next: 12_500_000n }, cost: { first: 10_000_001n, next: 10_000_000n } }],
  });
});

const at = (path: string, message: string) => `FILE:4: models[0].pricing${path}: ${message}`;

test.each<[string, string[]]>([
  [`per: token, ${tiers}`, [at(".per", `must be one of ${priceUnitNames.join(", ")}`)]],
  [`per: image, time: n, ${tiers}`, [at(".time", "is not a setting")]],
  [`per: second, ${tiers}`, [at(".times", "is required")]],
  [`per: image, tiers: []`, [at(".tiers", "must have at least 1 item")]],
  [`per: image, times: nothing, ${tiers}`, [at(".times", "is not a parameter of the model: nothing")]],
  [
    `per: image, times: free, ${tiers}`,
    [at(".times", "needs an integer with a minimum above 0 and a maximum, or an enum of whole numbers: free")],
  ],
  [
    `per: image, times: half, ${tiers}`,
    [at(".times", "needs an integer with a minimum above 0 and a maximum, or an enum of whole numbers: half")],
  ],
  [
    `per: second, times: text, ${tiers}`,
    [at(".times", "needs a number with a minimum above 0 and a maximum, or an enum of numbers: text")],
  ],
  [
    `per: second, times: optional, ${tiers}`,
    [at(".times", "needs a parameter that is required or has a default: optional")],
  ],
  [`per: second, times: auto, ${tiers}`, [at(".times", 'is "auto" for some inputs, not a number above 0')]],
  [`per: image, times: duration, ${tiers}`, [at(".times", "is 12.5 for some inputs, not a whole number above 0")]],
  [`per: image, times: none, ${tiers}`, [at(".times", "is 0 for some inputs, not a whole number above 0")]],
  [`per: 1k_characters, times: n, ${tiers}`, [at(".times", "needs a parameter of type string: n")]],
  [`per: megapixel, ${tiers}`, [at("", "needs width and height, or size")]],
  [`per: megapixel, width: width, ${tiers}`, [at("", "needs width and height, or size")]],
  [
    `per: megapixel, size: { size: { square: 1, tall: 1 } }, ${tiers}`,
    [
      at(".size.size.tall", '"tall" is not a valid value of the parameter'),
      at(".size.size", 'has no megapixels for "wide"'),
      at(".size.size", "has no megapixels for 2"),
    ],
  ],
  [`per: megapixel, size: { text: { a: 1 } }, ${tiers}`, [at(".size.text", "needs a parameter with an enum")]],
  [`per: megapixel, size: {}, ${tiers}`, [at(".size", "needs the values of exactly one parameter")]],
  [
    `per: megapixel, width: width, height: height, inputs: { n: 1 }, ${tiers}`,
    [at(".inputs.n", "needs a parameter of type array or string")],
  ],
  [
    "per: image, tiers: [{ match: { size: tall, pictures: present }, price_usd: 1 }]",
    [at(".tiers[0].match.size", '"tall" is not a valid value of the parameter')],
  ],
  [
    "per: image, times: n, tiers: [{ match: {}, price_usd: 1, next_price_usd: 251 }]",
    [at(".tiers[0]", "lets one generation cost 1004 USD: at most 1000 is supported")],
  ],
])("rejects a price: %s", (pricing, issues) => {
  expect(issuesOf(model(pricing))).toEqual(issues);
});

test("rejects a margin with which a generation costs too much", () => {
  const priced = model("per: image, tiers: [{ match: {}, price_usd: 600 }]", "margin: 2");
  expect(issuesOf(priced)).toEqual([at(".tiers[0]", "lets one generation cost 1200 USD: at most 1000 is supported")]);
  expect(issuesOf("margin: -1")).toEqual([
    "FILE:1: margin: must be a decimal from 0 to 1000 with at most nine decimal places",
  ]);
});
