import { describe, expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../../test/longest-turn";
import { soakCount } from "../../../test/soak";
import { runAtOnce, runInSlices } from "../../lib/slices";
import { type EntryPath, joinPath } from "./entry-paths";
import { pickEntries, writeEntries } from "./pick-entries";

const MAX_TURN_MS = 50;

const pick = (list: unknown, ...paths: EntryPath[]) =>
  runAtOnce(pickEntries(Buffer.from(typeof list === "string" ? list : JSON.stringify(list)), paths));

const litellm = {
  sample_spec: { mode: "chat" },
  "xai/grok": { input_cost_per_token: 1, mode: "chat" },
  other: { a: [1] },
};
const modelsDev = { xai: { id: "xai", models: { grok: { id: "grok", cost: { input: 1 } }, other: {} } } };

test("returns the entries at the paths, of both formats", () => {
  const paths: EntryPath[] = [["xai/grok"], ["xai", "models", "grok"], ["nobody"]];
  expect([...pick(litellm, ...paths)]).toEqual([[joinPath(["xai/grok"]), litellm["xai/grok"]]]);
  expect([...pick(modelsDev, ...paths)]).toEqual([[joinPath(["xai", "models", "grok"]), modelsDev.xai.models.grok]]);
});

test("writes entries as a list of the same prices", () => {
  const list = { ...litellm, ...modelsDev, openai: { models: { sol: { cost: { input: 2 } }, luna: { cost: null } } } };
  const paths: EntryPath[] = [["xai/grok"], ["xai", "models", "grok"], ["openai", "models", "sol"], ["openai", "models", "luna"]]; // prettier-ignore
  expect(JSON.parse(writeEntries(pick(list, ...paths)))).toEqual({
    "xai/grok": { input_cost_per_token: 1 },
    xai: { models: { grok: { cost: { input: 1 } } } },
    openai: { models: { sol: { cost: { input: 2 } }, luna: { cost: null } } },
  });
});

test("names of the prototype are names like all others", () => {
  const names: EntryPath[] = [["__proto__"], ["constructor"], ["toString", "models", "__proto__"]];
  expect(pick({}, ...names).size).toBe(0);
  const text = '{"__proto__":{"cost":1},"toString":{"models":{"__proto__":{"cost":2}}},"constructor":{}}';
  const found = pick(text, ...names);
  expect([...found.values()]).toEqual([{ cost: 1 }, { cost: 2 }, {}]);
  expect(writeEntries(found)).toBe('{"__proto__":{"cost":1},"constructor":{},"toString":{"models":{"__proto__":{"cost":2}}}}'); // prettier-ignore
  expect(Object.prototype).not.toHaveProperty("cost");
});

const NOT_JSON = "The price list is not complete JSON, or not an object of objects.";

describe("a list is rejected with one sentence", () => {
  const whole = JSON.stringify({ a: { b: "é", c: [1, { d: null }] }, e: { models: { f: { cost: { input: 1 } } } } });
  const cuts = Array.from({ length: whole.length }, (_, length) => whole.slice(0, length));
  test.each([
    ...cuts,
    `${whole}x`,
    `${whole},`,
    whole.replace(":", ","),
    whole.replace("},", "},,"),
    whole.replace("},", "}"),
    whole.replace("1", "01"),
    whole.replace("null", "NaN"),
    whole.replace('"é"', '"\n"'),
    '{"a":{}',
    "[]",
    "null",
    '{"a":1}',
    '{"a":[{}]}',
    '{"a":{"models":[1]}}',
    '{"a":{"models":{"b":2}}}',
    "{a:{}}",
    "<!doctype html>",
    "\ufeff{}",
  ])("%s", (text) => {
    expect(() => pick(text)).toThrow(NOT_JSON);
  });

  test("with an entry that is too large, also if nobody asks for it", () => {
    expect(() => pick({ a: { text: "x".repeat(65_536) } })).toThrow(
      "The price list has an entry of more than 65536 bytes.",
    );
  });

  test("with too many entries", () => {
    const many = `{${Array.from({ length: 100_001 }, (_, index) => `"${index}":{}`).join()}}`;
    expect(() => pick(many)).toThrow("The price list has more than 100000 entries.");
  });
});

test.each<[string, (bytes: number) => string]>([
  ["entries", (bytes) => `{${'"a":{},'.repeat(bytes / 7)}"b":{}}`],
  ["one deep value", (bytes) => `{"a":{"b":${"[".repeat(bytes)}`],
  ["one long text", (bytes) => `{"a":{"b":"${"x".repeat(bytes)}"}}`],
  ["one long name", (bytes) => `{"${"\\u0061".repeat(bytes / 6)}":{}}`],
  ["providers", (bytes) => `{${'"a":{"models":{"b":{}}},'.repeat(bytes / 24)}"b":{}}`],
  ["values", (bytes) => `{"a":{"b":[${"1,".repeat(bytes / 2)}1]}}`],
])("a list of %s is rejected without blocking the event loop", async (_, write) => {
  const text = Buffer.from(write(soakCount(4, 64) * 1024 * 1024));
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, () =>
    expect(runInSlices(pickEntries(text, []))).rejects.toThrow(/^The price list [^.]*\.$/),
  );
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});

test("a large list is read without blocking the event loop", async () => {
  const count = soakCount(10_000, 90_000);
  const entry = `{"litellm_provider":"x",${Array.from({ length: 40 }, (_, index) => `"cost_${index}":1e-${index}`).join()}}`;
  const text = Buffer.from(`{${Array.from({ length: count }, (_, index) => `"${index}":${entry}`).join()}}`);
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, async () => {
    expect((await runInSlices(pickEntries(text, [[String(count - 1)]]))).size).toBe(1);
  });
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});
