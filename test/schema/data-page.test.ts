import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testDatabase } from "../database";

// docs/data.md lists what the migrations make, so that a reader finds a table's rules without reading them.
const { db } = await testDatabase();
const page = readFileSync("docs/data.md", "utf8");

const listNames = async (sql: string) => (await db.query<{ name: string }>(sql)).map(({ name }) => name).sort();

const tablesSql = `
  SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'`;

const referencesSql = `
  SELECT f.relname || ' ' || t.relname AS name FROM pg_constraint r
  JOIN pg_class t ON t.oid = r.conrelid JOIN pg_class f ON f.oid = r.confrelid
  WHERE r.contype = 'f' AND t.relnamespace = 'public'::regnamespace`;

// Names that Postgres chose end with the column and "check".
const rulesSql = `
  SELECT conname AS name FROM pg_constraint
  WHERE contype = 'c' AND connamespace = 'public'::regnamespace AND conname NOT LIKE '%\\_check'
  UNION SELECT tgname FROM pg_trigger JOIN pg_class t ON t.oid = tgrelid
  WHERE NOT tgisinternal AND t.relnamespace = 'public'::regnamespace
  UNION SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`;

test("docs/data.md has a row for every table, and no other", async () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(await listNames(tablesSql));
});

test("its diagram has every table and every reference, and no other", async () => {
  const diagram = /^```mermaid\n([^]*?)^```/m.exec(page)![1]!;
  const references = [...diagram.matchAll(/^ {2}(\w+) \S+--\S+ (\w+) :/gm)].map(([, to, from]) => `${to} ${from}`);
  expect(references.sort()).toEqual(await listNames(referencesSql));
  const unreferenced = [...diagram.matchAll(/^ {2}(\w+)$/gm)].map(([, table]) => table!);
  const drawn = new Set([...references.flatMap((pair) => pair.split(" ")), ...unreferenced]);
  expect([...drawn].sort()).toEqual(await listNames(tablesSql));
});

test("it names every constraint, trigger and function of the migrations", async () => {
  const rules = await listNames(rulesSql);
  expect(rules.length).toBeGreaterThan(15);
  expect(rules.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
