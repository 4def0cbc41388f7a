import fc from "fast-check";
import { expect, test } from "vitest";
import { modelFrom } from "../../../test/catalogue";
import { seed, soakCount } from "../../../test/soak";
import { unsupportedParameters } from "./find-routes";
import { chooseUpstreamModel, toUpstreamInput } from "./route-parameters";

const [route] = modelFrom(`
providers: [{ id: up, kind: fal, api_key: k }]
models:
  - id: m
    pricing_tiers: [{ match: {}, price_usd: 1 }]
    parameters_schema:
      type: object
      additionalProperties: true
      properties:
        prompt: { type: string }
        ratio: { enum: ["1:1", "16:9", "4:3"], default: "1:1" }
        duration: { type: integer }
        steps: { type: string }
        loud: { type: boolean }
        size: { enum: [small, large] }
        first: { type: array }
        many: { type: array, default: [] }
    routes:
      - provider: up
        upstream_model: text
        when:
          - { match: { many: present, ratio: "4:3" }, price_usd: 0.1 }
          - { match: { many: present, ratio: "16:9" }, upstream_model: wide-edit }
          - { match: { many: present }, upstream_model: edit }
          - { match: { duration: absent, loud: true }, upstream_model: loud }
        rename: { prompt: text }
        values: { ratio: { "1:1": square, "16:9": { width: 16, height: 9 } }, loud: { true: 11, false: null }, size: { small: { w: 1, h: 2 }, large: { w: 3, h: 4 } } }
        as: { size: members, duration: string, steps: number, first: first(image_url), many: numbered(input_image) }
        set: { safety: true, format: png }
`).routes;

test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [{}, { ratio: "square" }],
  [
    { prompt: "a", duration: 5 },
    { text: "a", ratio: "square", duration: "5" },
  ],
  [
    { ratio: "16:9", loud: true },
    { ratio: { width: 16, height: 9 }, loud: 11 },
  ],
  [{ loud: false }, { ratio: "square", loud: null }],
  [{ steps: "8.5" }, { ratio: "square", steps: 8.5 }],
  [{ steps: "many" }, { ratio: "square", steps: "many" }],
  [
    { first: ["a", "b"], many: ["c", "d", "e"] },
    { ratio: "square", image_url: "a", input_image: "c", input_image_2: "d", input_image_3: "e" },
  ],
  [{ first: [], many: null }, { ratio: "square" }],
  [
    { unknown: 1, safety: false },
    { ratio: "square", unknown: 1 },
  ],
])("writes %j for upstream", (input, expected) => {
  const before = structuredClone(input);
  expect(toUpstreamInput(route!, input)).toEqual({ ...expected, safety: true, format: "png" });
  expect(input).toEqual(before);
});

test.each([
  [{}, "text"],
  [{ many: [] }, "text"],
  [{ many: ["a"] }, "edit"],
  [{ many: ["a"], ratio: "4:3" }, "edit"],
  [{ many: ["a"], ratio: "16:9" }, "wide-edit"],
  [{ loud: true }, "loud"],
  [{ loud: true, duration: 3 }, "text"],
  [{ loud: true, duration: null }, "loud"],
])("chooses the upstream model of %j", (input, expected) => {
  expect(chooseUpstreamModel(route!, input)).toBe(expected);
});

test("the keys of values are the accepted values", () => {
  expect(unsupportedParameters(route!, { ratio: "16:9" })).toEqual([]);
  expect(unsupportedParameters(route!, { ratio: "4:3" })).toEqual(["ratio"]);
});

test("members of any name are own members, and no prototype changes", () => {
  const names = fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "prompt", "ratio", "many");
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue()), (input) => {
      const text = JSON.stringify(input);
      const own = JSON.parse(text) as Record<string, unknown>;
      const sent = toUpstreamInput(route!, own);
      expect(Object.getPrototypeOf(sent)).toBe(Object.prototype);
      for (const name of ["__proto__", "constructor", "toString"])
        expect(Object.hasOwn(sent, name)).toBe(Object.hasOwn(own, name));
      expect(chooseUpstreamModel(route!, own)).toMatch(/^(text|edit|wide-edit)$/);
    }),
    { seed, numRuns: soakCount(300, 10_000) },
  );
});
