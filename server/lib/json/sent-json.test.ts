import fc from "fast-check";
import { expect, test } from "vitest";
import { seed, soakCount } from "../../../test/soak";
import { hashCanonicalJson, hashInSlices } from "../canonical";
import { runAtOnce } from "../slices";
import { encodeJson } from "./write-json";
import { findPlaces, INTEGER_MARK, markIntegers, splitText } from "./sent-json";
import { findRepeatedMember, findValues, PATH_SEPARATOR } from "./walk-text";

const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[\\"[\]{},:\s]{0,12}$/), fc.string({ minLength: 60, maxLength: 200 })); // prettier-ignore
const value = fc.jsonValue({ maxDepth: 4 });
const object = fc.dictionary(text, value, { maxKeys: 6 });
/** The text of an object, with or without space between its tokens. */
const sent = fc.tuple(object, fc.constantFrom(0, 1, "\t")).map(([members, indent]) => ({
  members: JSON.parse(JSON.stringify(members)) as Record<string, unknown>,
  bytes: Buffer.from(` ${JSON.stringify(members, null, indent)}\n`),
}));
const check = <T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, predicate), { seed, numRuns: soakCount(100, 5_000) });

test("finds the text of every member", () => {
  check(sent, ({ members, bytes }) => {
    const places = runAtOnce(findPlaces(bytes));
    expect([...places.members.keys()].sort()).toEqual(Object.keys(members).sort());
    for (const [name, { start, end }] of places.members)
      expect(JSON.parse(bytes.toString("utf8", start, end))).toEqual(members[name]);
  });
});

test("finds the text of a member that is longer than a step", () => {
  for (const long of ['\\"'.repeat(400_000), "a".repeat(700_000), "\\\\".repeat(131_073), "é".repeat(300_000)]) {
    const bytes = Buffer.from(`{"a":"${long}","b":[1]}`);
    const { members } = runAtOnce(findPlaces(bytes));
    const { start, end } = members.get("b")!;
    expect(bytes.toString("utf8", start, end)).toBe("[1]");
    expect(members.get("a")!.end).toBe(start - '","b":'.length + 1);
  }
});

const integer = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String);

test("marks the integers that parsing rounds, and no others", () => {
  check(
    fc.array(fc.oneof(integer, fc.constantFrom("1e300", "0.12345678901234567", '"9007199254740993"', "-1.5e20"))),
    (numbers) => {
      const bytes = Buffer.from(`{"list":[${numbers.join(" , ")}]}`);
      const { integers } = runAtOnce(findPlaces(bytes));
      const { list } = JSON.parse(Buffer.from(runAtOnce(markIntegers(bytes, integers))).toString()) as {
        list: unknown[];
      };
      expect(list.map((item) => (typeof item === "string" ? item.replace(INTEGER_MARK, "") : item))).toEqual(
        numbers.map((number) =>
          /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number)) ? number : (JSON.parse(number) as unknown),
        ),
      );
    },
  );
});

test("finds the first member that is repeated, wherever it is", () => {
  check(
    fc.tuple(object, fc.array(fc.oneof(fc.nat({ max: 3 }), text), { maxLength: 4 }), text),
    ([inner, path, name]) => {
      const repeated = `{${JSON.stringify(name)}:1,${JSON.stringify(`other ${name}`)}:[{}],${JSON.stringify(name)}:{"x":2}}`;
      const whole = path.reduceRight<string>(
        (rest, step) =>
          typeof step === "number"
            ? `[${'{"a":0},'.repeat(step)}${rest}]`
            : JSON.stringify({ [`a${step}`]: inner }).replace(/}$/, () => `,${JSON.stringify(step)}:${rest}}`),
        repeated,
      );
      expect(runAtOnce(findRepeatedMember(Buffer.from(whole)))).toEqual([...path, name]);
    },
  );
  check(sent, ({ bytes }) => {
    expect(runAtOnce(findRepeatedMember(bytes))).toBeNull();
  });
  expect(runAtOnce(findRepeatedMember(Buffer.from('{"a":1,"\\u0061":2}')))).toEqual(["a"]);
});

test("finds objects and arrays by their path, and replaces them", () => {
  const whole = '{"messages":[{"a.b":{},"a":{"b":{"y":[{}]}}}, {"a":{"b":["z\\n"],"c":{}}, "d":"x"}]}';
  const bytes = Buffer.from(whole);
  const part = runAtOnce(findPlaces(bytes)).members.get("messages")!;
  const paths = new Set([[0, "a", "b"].join(PATH_SEPARATOR), [1, "a", "b"].join(PATH_SEPARATOR), "1\0d"]);
  const found = runAtOnce(findValues(bytes, part, paths));
  expect(found.map(({ path }) => path)).toEqual(["0\0a\0b", "1\0a\0b"]);
  const edits = found.map((span) => ({ ...span, text: Buffer.from("0") }));
  const replaced = Buffer.concat(splitText(bytes, part, edits)).toString();
  expect(replaced).toBe('[{"a.b":{},"a":{"b":0}}, {"a":{"b":0,"c":{}}, "d":"x"}]');
});

test("writes in slices what is written at once", () => {
  const written = (value: unknown) => Buffer.from(runAtOnce(encodeJson(value))).toString();
  check(fc.tuple(value, fc.string({ unit: "binary" })), ([inner, odd]) => {
    const whole = [inner, { odd, [odd]: [], none: undefined, list: [undefined, Infinity] }];
    expect(written(whole)).toBe(JSON.stringify(whole));
  });
  for (const long of ["a", "é\n", "😀", "a😀", "\ud83d"].map((piece) => piece.repeat(150_000)))
    expect(written({ [long]: long })).toBe(JSON.stringify({ [long]: long }));
});

test("hashes in slices what is hashed at once", () => {
  check(fc.tuple(value, fc.string({ unit: "binary" })), ([inner, odd]) => {
    const whole = [inner, { odd, [odd]: [] }];
    expect(runAtOnce(hashInSlices(whole))).toEqual(hashCanonicalJson(whole));
  });
  for (const long of ["a", "é\n", "😀", "a😀"].map((piece) => piece.repeat(150_000)))
    expect(runAtOnce(hashInSlices({ [long]: long }))).toEqual(hashCanonicalJson({ [long]: long }));
});
