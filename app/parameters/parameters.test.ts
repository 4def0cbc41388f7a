import { expect, test } from "vitest";
import { sandboxCatalogue } from "@/server/providers/sandbox/models";
import { completeSchema } from "@/server/catalogue/subschemas";
import { compileSchema } from "@/server/catalogue/compile-schema";
import { catalogueFiles, parseStartingCatalogue } from "@/test/catalogues/starting-catalogues";
import { exampleInputs } from "./example-inputs";
import { groupParameters } from "../(console)/playground/parameter-fields";
import { kindOf } from "./parameter-field";
import { formatLimits, formatRange, namesCharacter, parametersOf, type Schema, takesFiles, titleOf } from "./parameter";
import { sampleInput } from "./sample-input";
const uri: Schema = { type: "string", format: "uri" };

test.each<[string, Schema]>([
  ["choice", { type: "string", enum: ["1:1", "16:9"] }],
  ["choice", { enum: [1, 2] }],
  ["choice", { const: true }],
  ["check", { type: "boolean" }],
  ["number", { type: ["integer", "null"] }],
  ["number", { type: "number" }],
  ["text", { type: "string" }],
  ["text", { type: "string", maxLength: 4_000 }],
  ["line", { type: "string", maxLength: 200 }],
  ["line", { type: "string", format: "date" }],
  ["line", { type: "string", pattern: "^#" }],
  ["file", uri],
  ["files", { type: "array", items: uri }],
  ["lines", { type: "array", items: { type: "string" } }],
  ["choices", { type: "array", items: { enum: ["a"] } }],
  ["json", { type: "array", items: { type: "number" } }],
  ["json", { type: "array" }],
  ["json", { type: "object" }],
  ["json", { type: ["string", "number"] }],
  ["json", {}],
])("uses a %s control for %o", (kind, schema) => {
  expect(kindOf(schema)).toBe(kind);
});

test.each<[string, Schema]>([
  ["string, up to 4,000 characters", { type: "string", minLength: 1, maxLength: 4_000 }],
  ["string", { type: "string" }],
  ["file", { ...uri, maxLength: 8_192 }],
  ["date", { type: "string", format: "date" }],
  ["integer from 1 to 500", { type: "integer", minimum: 1, maximum: 500 }],
  ["number at least 0.5", { type: "number", minimum: 0.5 }],
  ["list of up to 4", { type: "array", maxItems: 4 }],
  ["list of up to 4 files", { type: "array", maxItems: 4, items: uri }],
  ["list of up to 1 file", { type: "array", maxItems: 1, items: uri }],
  ["list of files", { type: "array", items: uri }],
  ["list of 2", { type: "array", minItems: 2, maxItems: 2 }],
  ["string or integer", { type: ["string", "integer"] }],
  ["", {}],
])('formats limits as "%s" for %o', (words, schema) => {
  expect(formatLimits(schema)).toBe(words);
});

test.each<[string, Schema]>([
  ["up to 4,000 characters", { type: "string", minLength: 1, maxLength: 4_000 }],
  ["", { type: "string", format: "date", maxLength: 10 }],
  ["", { ...uri, maxLength: 8_192 }],
  ["from 1 to 500", { type: "integer", minimum: 1, maximum: 500 }],
  ["at least 0.5", { type: "number", minimum: 0.5 }],
  ["up to 4 files", { type: "array", maxItems: 4, items: uri }],
  ["up to 1 file", { type: "array", maxItems: 1, items: uri }],
  ["2 values", { type: "array", minItems: 2, maxItems: 2 }],
  ["", { type: "array", items: uri }],
  ["", {}],
])('a form says "%s" for %o', (words, schema) => {
  expect(formatRange(schema)).toBe(words);
});

test("only an integer named character is a character id", () => {
  const named = (name: string, type: string) => namesCharacter({ name, required: false, schema: { type } });
  expect([named("character", "integer"), named("character", "string"), named("seed", "integer")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("required parameters come first", () => {
  const schema = { properties: { a: {}, b: {}, c: {} }, required: ["c", "b"] };
  expect(parametersOf(schema).map(({ name }) => name)).toEqual(["b", "c", "a"]);
});

test.each(sandboxCatalogue.map((model) => [model.id, "parameters_schema" in model ? model.parameters_schema : {}]))(
  "the sample input of %s is valid",
  (_, schema) => {
    const sample = sampleInput(schema);
    expect(compileSchema(completeSchema(schema))(sample)).toBe(true);
  },
);

test.each(sandboxCatalogue.map((model) => [model.id, "parameters_schema" in model ? model.parameters_schema : {}]))(
  "the examples of %s are valid but for files to add",
  (_, schema) => {
    const validate = compileSchema(completeSchema(schema));
    for (const { input, missing } of exampleInputs(schema)) {
      validate(input);
      const issues = validate.errors?.map(({ keyword, params }) => [keyword, params.missingProperty as unknown]) ?? [];
      expect(issues).toEqual(missing.map((name) => ["required", name]));
    }
  },
);

test.each(catalogueFiles)(
  "the models of catalogues/%s have a valid example, but for those that need only files",
  (name) => {
    for (const { id, parametersSchema } of parseStartingCatalogue(name).models) {
      const validate = compileSchema(parametersSchema);
      const valid = exampleInputs(parametersSchema).map(({ input }) => validate(input));
      const isNeeded = parametersOf(parametersSchema).some((one) => one.required && !takesFiles(one));
      expect({ id, valid }).toEqual({ id, valid: isNeeded ? [true] : [] });
    }
  },
);

test("examples combine the examples of the parameters, without files, which cannot be invented", () => {
  const schema: Schema = {
    required: ["prompt", "size", "image", "mask", "references"],
    properties: {
      prompt: { type: "string", examples: ["a pier", "a barn"] },
      size: { enum: ["1k", "2k"], default: "2k" },
      style: { type: "string", examples: ["oil"] },
      image: uri,
      mask: { ...uri, examples: ["https://example.com/mask.png"] },
      references: { type: "array", items: uri },
      seed: { type: "integer", default: 7 },
    },
  };
  const rest = { size: "2k", mask: "https://example.com/mask.png" };
  const missing = ["image", "references"];
  expect(exampleInputs(schema)).toEqual([
    { input: { ...rest, prompt: "a pier", style: "oil" }, missing },
    { input: { ...rest, prompt: "a barn" }, missing },
  ]);
  const whole = { ...schema, examples: [{ prompt: "a whole input", image: "https://example.com/a.png" }, "no input"] };
  expect(exampleInputs(whole)).toEqual([
    { input: { ...rest, prompt: "a whole input", image: "https://example.com/a.png" }, missing: ["references"] },
  ]);
});

test("there is an example without any examples, unless the model has no parameters", () => {
  const schema: Schema = { required: ["prompt"], properties: { prompt: { type: "string", maxLength: 400 } } };
  expect(exampleInputs(schema)).toEqual([{ input: { prompt: "A lighthouse at dawn" }, missing: [] }]);
  expect(exampleInputs({})).toEqual([]);
});

test("a sample has only required parameters, within their limits", () => {
  const schema: Schema = {
    required: ["title", "size", "on", "at", "look", "inner", "many", "mask"],
    properties: {
      title: { type: "string", maxLength: 5 },
      size: { type: "integer", minimum: 64 },
      on: { type: "boolean" },
      at: { type: "string", format: "date" },
      look: { type: "string", examples: ["oil"] },
      inner: { type: "object", required: ["x"], properties: { x: { const: 3 }, y: { type: "string" } } },
      many: { type: "array", minItems: 2, items: { type: "number", maximum: 0 } },
      mask: uri,
      other: { type: "string" },
    },
  };
  expect(sampleInput(schema)).toEqual({
    title: "A lig",
    size: 64,
    on: true,
    at: "2026-01-31",
    look: "oil",
    inner: { x: 3 },
    many: [0, 0],
    mask: "https://example.com/input.png",
  });
});

test.each<[string, string | undefined, string]>([
  ["aspect_ratio", undefined, "Aspect ratio"],
  ["prompt", undefined, "Prompt"],
  ["cfg", "Guidance scale", "Guidance scale"],
])("the field of %s with the title %s is labelled %s", (name, title, label) => {
  expect(titleOf({ name, required: false, schema: { title } })).toBe(label);
});

const named = (name: string, schema: Schema = {}, required = false) => ({ name, schema, required });
const namesOf = (parameters: { name: string }[]) => parameters.map(({ name }) => name);

test("a form has the prompt first, then files, then what is required, and folds the rest of many", () => {
  const others = ["a", "b", "c", "d", "e"].map((name) => named(name));
  const many = [...others, named("seed", {}, true), named("image", uri), named("prompt", {}, true)];
  const { main, more } = groupParameters(many);
  expect(namesOf(main)).toEqual(["prompt", "image", "seed", "a", "b", "c"]);
  expect(namesOf(more)).toEqual(["d", "e"]);
  // A single field is not folded, and files, required fields and the character never are.
  expect(namesOf(groupParameters(many.slice(1)).more)).toEqual([]);
  const character = named("character", { type: "integer" });
  expect(namesOf(groupParameters([...many, character]).more)).toEqual(["d", "e"]);
});
