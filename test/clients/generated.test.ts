import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createClientDocument, type Schema } from "../../scripts/clients/client-document";
import { generateTypes } from "../../scripts/clients/generate-types";
import { MONEY_MEMBERS, OPAQUE_MEMBERS, formatDecimal, withDecimals } from "../../clients/typescript/src/decimals";
import { published } from "../api/published";

test("the generated files are current: npm run clients writes them", { timeout: 120_000 }, async () => {
  for (const [file, text] of Object.entries(await generateTypes()))
    expect(await readFile(file, "utf8"), file).toBe(text);
});

/** Returns the names of the members below a value whose schema matches. */
function findMembers(value: unknown, matches: (schema: Schema) => boolean): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.entries((value as Schema).properties ?? {}).filter(([, schema]) => matches(schema));
  return [...own.map(([name]) => name), ...Object.values(value).flatMap((member) => findMembers(member, matches))];
}

test("every amount of the API is a decimal string in the clients", () => {
  const isNumber = ({ type }: Schema) => [type].flat().includes("number");
  const left = findMembers(createClientDocument(), isNumber);
  // An amount that customers send, a share, and a time.
  const excused = ["max_cost", "progress", "typical_seconds"];
  expect([...new Set(left)].toSorted()).toEqual(excused);
  const amounts = findMembers(published, (schema) => isNumber(schema) && /EUR|USD/.test(String(schema.description)));
  expect(amounts.length).toBeGreaterThan(10);
  expect(amounts.filter((name) => !MONEY_MEMBERS.has(name) && !excused.includes(name))).toEqual([]);
});

test("both clients know the same amounts", async () => {
  const python = await readFile("clients/python/src/generation_hub/decimals.py", "utf8");
  const [money, opaque] = [...python.matchAll(/_MEMBERS = frozenset\(\s*\{([^}]*)\}/g)].map(([, names]) =>
    [...names!.matchAll(/"(\w+)"/g)].map(([, name]) => name!),
  );
  expect(money).toEqual([...MONEY_MEMBERS]);
  expect(opaque).toEqual([...OPAQUE_MEMBERS]);
});

test("amounts are exact, and members of customers stay as they are", () => {
  expect([1e-9, 0.1 + 0.2 - 0.3, 8_388_607.999999999, 0, -1.5, 25].map(formatDecimal)).toEqual([
    "0.000000001",
    "0",
    "8388607.999999999",
    "0",
    "-1.5",
    "25",
  ]);
  const body = { data: [{ billed_cost: 1e-7, input: { cost: 5 }, progress: 0.5 }] };
  expect(withDecimals(body)).toEqual({ data: [{ billed_cost: "0.0000001", input: { cost: 5 }, progress: 0.5 }] });
});
