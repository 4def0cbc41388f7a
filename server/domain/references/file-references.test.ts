import { expect, test } from "vitest";
import type { Schema } from "../../catalogue/subschemas";
import { findFileReferences } from "./file-references";

const uri = { type: "string", format: "uri" };
const text = { type: "string" };
const list = { type: "array", items: uri };
const object = (properties: Schema, rest: Schema = {}) => ({ type: "object", properties, ...rest });
const locations = (schema: Schema, input: Record<string, unknown>) =>
  findFileReferences(schema, input).map(({ place: location, kind, text }) => `${kind}: ${location} = ${text}`);

test.each([
  ["alone", object({ image: uri, prompt: text }), { prompt: "p", image: "a" }, ["image: image = a"]],
  ["in a list", object({ images: list }), { images: ["a", "b"] }, ["images: images.0 = a", "images: images.1 = b"]],
  [
    "in objects of a list",
    object({ frames: { type: "array", items: object({ image: uri, at: { type: "number" } }) } }),
    { frames: [{ at: 1 }, { image: "a" }] },
    ["frames: frames.1.image = a"],
  ],
  [
    "as one of several kinds, once",
    object({ mask: { anyOf: [{ type: "null" }, uri, uri] }, images: { oneOf: [uri, list] } }),
    { mask: "a", images: ["b"] },
    ["mask: mask = a", "images: images.0 = b"],
  ],
  ["in a part of the whole", { ...object({}), allOf: [object({ image: uri })] }, { image: "a" }, ["image: image = a"]],
  [
    "under names that the schema does not know, and no other",
    object({ prompt: text }, { additionalProperties: uri }),
    { prompt: "p", style: "a" },
    ["style: style = a"],
  ],
  [
    "where a condition leads, not where it looks",
    {
      ...object({ image: text }),
      if: object({ image: uri }),
      then: object({ mask: uri }),
      else: { not: object({ image: uri }) },
    },
    { image: "a", mask: "b" },
    ["mask: mask = b"],
  ],
  ["nowhere", object({ prompt: text, size: { enum: ["1k"] } }), { prompt: "sha256:…", size: "1k" }, []],
  ["not in what is no text", object({ image: { ...uri, type: ["string", "null"] } }), { image: null }, []],
])("%s", (_, schema, input, found) => {
  expect(locations(schema as Schema, input)).toEqual(found);
});

test("inherited members of an input are not references", () => {
  const schema = object({ constructor: uri });
  expect(locations(schema as Schema, {})).toEqual([]);
});
