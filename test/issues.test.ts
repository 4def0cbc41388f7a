import { expect, test } from "vitest";
import { z } from "zod";
import { operations } from "../server/api/openapi";
import { describeIssue, rejectIssues } from "../server/lib/issues";
import { root } from "../server/trpc/root";
import { newConsoleUser } from "./console/console-user";
import { testHub } from "./hub";

/** Returns every schema inside a schema or an object of schemas. */
function schemasIn(value: unknown, seen = new Set<unknown>()): z.ZodType[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  if (!("_zod" in value)) return Object.values(value).flatMap((inner) => schemasIn(inner, seen));
  const schema = value as z.ZodType;
  // Checks and transformations only see what another schema has accepted.
  const parts = { ...schema.def, checks: [] };
  return parts.type === "transform" ? [] : [schema, ...schemasIn(parts, seen)];
}

const rest = operations.flatMap(({ params, query, body, requestHeaders }) => [params, query, body, requestHeaders]);
const console = Object.values(root._def.procedures as object) as { _def: { inputs: unknown[] } }[];
const schemas = schemasIn([...rest, ...console.flatMap(({ _def }) => _def.inputs)]);

const long = "x".repeat(10_000);
const values: unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  NaN,
  Infinity,
  2 ** 53,
  new Date(0),
  "",
  "x",
  long,
  "2026-13-01T00:00:00Z",
  [],
  Array(2_000).fill("x"),
  [7, null, {}],
  ["x", "x"],
  {},
  { id: 7 },
  { strange: 1, stranger: 2 },
  { images: [], trigger_word: "x" },
];

const RAW = /invalid|expected|received|too (big|small)|unrecogni[sz]ed|NaN|undefined/i;

test("no value gets one of the library's own messages from a schema of the API or the console", () => {
  expect(schemas.length).toBeGreaterThan(150);
  const messages = new Set<string>();
  for (const schema of schemas) {
    for (const value of values) {
      for (const { message } of schema.safeParse(value).error?.issues ?? []) messages.add(message);
    }
  }
  expect(messages.size).toBeGreaterThan(30);
  expect(
    [...messages].filter((message) => RAW.test(message) || !/^(must|is|has|names|there|may|needs)\b/.test(message)),
  ).toEqual([]);
});

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "is required"],
  [z.string(), 7, "must be a string"],
  [z.int(), 1.5, "must be an integer"],
  [z.object({}), [], "must be an object"],
  [z.record(z.string(), z.string()), 7, "must be an object"],
  [z.array(z.string()), {}, "must be an array"],
  [z.boolean(), "true", "must be true or false"],
  [z.string().min(1), "", "must have at least 1 character"],
  [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 items"],
  [z.number().max(3), 4, "must be at most 3"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.number().multipleOf(3), 4, "must be a multiple of 3"],
  [z.enum(["a", "b"]), "c", "must be one of a, b"],
  [z.literal("a"), "c", "must be a"],
  [z.uuid(), "c", "must be a UUID"],
  [z.iso.datetime(), "c", "must be a time such as 2026-11-21T08:00:00Z"],
  [z.strictObject({}), { a: 1, b: 2 }, "has unknown members: a, b"],
  [z.union([z.string(), z.null()]), 7, "must be a string, or must be null"],
  [z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), {}, "matches none of the accepted forms"],
])("%# an issue states what is expected", (schema, value, message) => {
  expect(schema.safeParse(value).error!.issues.map((issue) => issue.message)).toEqual([message]);
});

test("a value of the wrong type is told only that", () => {
  const schema = z.strictObject({ names: z.array(z.string()).max(2, "names one twice"), word: z.string().min(1) });
  const sent = { names: "three", word: [], other: 1 };
  expect(rejectIssues(schema.safeParse(sent).error!.issues).extras.errors).toEqual({
    names: ["must be an array"],
    word: ["must be a string"],
    other: ["is not a known member"],
  });
});

test("shortens the names of unknown members, because the caller chose them", () => {
  const keys = Array.from({ length: 1_000 }, (_, n) => `member-${n}`);
  expect(describeIssue({ code: "unrecognized_keys", keys, input: {} }).length).toBeLessThan(300);
});

test("the console has the same messages", async () => {
  const { console } = await newConsoleUser(await testHub());
  const created = console.webhooks.create({ url: 7, events: ["nothing"] } as never);
  await expect(created).rejects.toMatchObject({
    cause: { issues: [{ message: "must be a string" }, { path: ["events", 0] }] },
  });
});
