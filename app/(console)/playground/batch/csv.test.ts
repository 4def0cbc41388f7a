import { describe, expect, test } from "vitest";
import type { Parameter } from "../../../parameters/parameter";
import { readInputIssues } from "./csv-issues";
import { parseCsv } from "./parse-csv";
import { MAX_ROWS, readInputs } from "./read-inputs";
import { varySeed } from "./vary-seed";

const parameters: Parameter[] = [
  { name: "prompt", schema: { type: "string" }, required: true },
  { name: "seed", schema: { type: "integer", minimum: 1, maximum: 10 }, required: false },
  { name: "size", schema: { enum: [1, 2, "large"] }, required: false },
  { name: "tiled", schema: { type: "boolean" }, required: false },
  { name: "images", schema: { type: "array", items: { type: "string" } }, required: false },
];

describe("parseCsv", () => {
  test("reads quotes, line breaks in cells and every kind of line end, and counts lines", () => {
    const text = '\uFEFFprompt,seed\r\n"a ""red"" pier,\nat dusk",1\r\n\r\na boat,2\r';
    expect(parseCsv(text)).toEqual([
      { line: 1, cells: ["prompt", "seed"] },
      { line: 2, cells: ['a "red" pier,\nat dusk', "1"] },
      { line: 5, cells: ["a boat", "2"] },
    ]);
  });

  test.each([";", "\t"])("takes %j as the separator if the first line has it", (separator) => {
    expect(parseCsv(`prompt${separator}seed\na, b${separator}3`)[1]!.cells).toEqual(["a, b", "3"]);
  });

  test("a quotation mark inside of a cell stands for itself", () => {
    expect(parseCsv('prompt\na "red" pier')[1]!.cells).toEqual(['a "red" pier']);
  });

  test.each(['a\n"open', 'a\n"x"y'])("names the line of a wrong quotation mark in %j", (text) => {
    expect(() => parseCsv(text)).toThrow(expect.objectContaining({ line: 2 }) as Error);
  });

  test("an empty file has no records", () => expect(parseCsv("")).toEqual([]));
});

describe("readInputs", () => {
  const read = (text: string, form = {}) => readInputs(text, parameters, form);

  test("makes an input of each row, with the form's values for what it has no cell for", () => {
    const { inputs, lines, issues, ignored } = read(
      'prompt,seed,size,tiled,images,note\na pier,3,2,TRUE,https://a.example/1.png,x\na boat,,large,false,"[""b""]",',
      { seed: 7 },
    );
    expect(issues).toEqual([]);
    expect(inputs).toEqual([
      { prompt: "a pier", seed: 3, size: 2, tiled: true, images: ["https://a.example/1.png"] },
      { prompt: "a boat", seed: 7, size: "large", tiled: false, images: ["b"] },
    ]);
    expect([lines, ignored]).toEqual([[2, 3], ["note"]]);
  });

  test.each([
    ["text\na", 1, "has no input of this model"],
    ["prompt,prompt\na,b", 1, "appears twice"],
    ["prompt", 1, "no rows"],
    ["prompt,seed\na,1\nb,many", 3, "seed must be a number"],
    ["prompt,tiled\na,yes", 2, "tiled must be true or false"],
    ["prompt\na\nb, and c", 3, "has 2 cells"],
    ['prompt\n"a', 2, "quotation mark"],
    [`prompt\n${"a\n".repeat(MAX_ROWS + 1)}`, MAX_ROWS + 2, "at most 1,000 rows"],
    [`prompt\n${"x".repeat(1_000_001)}`, 1, "exceed 1 MB"],
  ])("names the line of what is wrong: %#", (text, line, message) => {
    expect(read(text).issues).toEqual([{ line, message: expect.stringContaining(message) as string }]);
  });
});

test("an error of the hub names the input", () => {
  const errors = { "inputs.3.images.0": ["is not a file of yours"], model: ["is wrong"] };
  expect(readInputIssues({ data: { errors } })).toEqual([
    { index: 3, parameter: "images", message: "is not a file of yours" },
  ]);
  expect(readInputIssues(null)).toEqual([]);
});

describe("varySeed", () => {
  const seeds = (form: object, first = 0) => varySeed({ ...form }, parameters, 4, first).map(({ seed }) => seed);

  test("seeds follow each other within the limits", () => {
    expect(seeds({ seed: 9 })).toEqual([9, 10, 1, 2]);
    expect(new Set(seeds({}, 123_456_789)).size).toBe(4);
  });

  test("a model without a seed gets equal inputs", () => {
    expect(varySeed({ prompt: "a" }, [parameters[0]!], 2, 5)).toEqual([{ prompt: "a" }, { prompt: "a" }]);
  });
});
