import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as columnTypes from "../../server/db/column-types";
import { type Declaration, declarations, statement } from "../../server/db/statement";
import { withClient } from "../cluster";
import { testDatabase } from "../database";
import { declaringModules, importDeclarations } from "./declaring-modules";
import { describeStatement } from "./describe-statement";

const { db, url } = await testDatabase();

/** Declaring modules that open or set up a connection, create what a migrated database has, or pass on a declared text. */
const connectionFiles = [
  "inngest/embedded/engine-connection.ts",
  ...["client", "embedded/enter-cluster", "listen", "migrate", "pipeline", "statement"].map(
    (name) => `server/db/${name}.ts`,
  ),
];

await importDeclarations();

interface ColumnRow {
  table_id: number;
  number: number;
  is_nullable: boolean;
}

/** Returns how declared statements differ from what Postgres says of their text. */
async function findDifferences(declared: Declaration[]): Promise<string[]> {
  const types = await db.query<{ oid: number; name: string }>(
    "SELECT oid, format_type(oid, NULL) AS name FROM pg_type",
  );
  const typeNames = new Map(types.map(({ oid, name }) => [oid, name]));
  const columns = await db.query<ColumnRow>(
    "SELECT attrelid AS table_id, attnum AS number, NOT attnotnull AS is_nullable FROM pg_attribute",
  );
  const nullable = new Set(columns.flatMap((row) => (row.is_nullable ? [`${row.table_id}.${row.number}`] : [])));
  return withClient(url, async (client) => {
    const differences: string[] = [];
    for (const { text, params, row } of declared) {
      const { params: oids, columns: fields } = await describeStatement(client, text);
      const found = [
        ...oids.map((oid, index) => `$${index + 1} ${typeNames.get(oid)}`),
        ...fields.map(({ name, dataTypeID }) => `${name} ${typeNames.get(dataTypeID)}`).sort(),
      ];
      const expected = [
        ...params.map(({ sql }, index) => `$${index + 1} ${sql}`),
        ...Object.entries(row).map(([name, { sql }]) => `${name} ${sql}`).sort(), // prettier-ignore
      ];
      const notNull = fields.filter(({ name, tableID, columnID }) => {
        const column = row[name];
        return column && column.nulls === "never" && nullable.has(`${tableID}.${columnID}`);
      });
      if (found.join() !== expected.join()) differences.push(`${text}\n  is: ${found.join(", ")}\n  declared: ${expected.join(", ")}`); // prettier-ignore
      differences.push(...notNull.map(({ name }) => `${text}\n  ${name} can be null`));
    }
    return differences;
  });
}

test("every declared statement has the parameters and columns that Postgres says", async () => {
  expect(declarations.length).toBeGreaterThan(0);
  expect(await findDifferences(declarations)).toEqual([]);
});

const { bool, int4, int8, text, timestamptz, nullable } = columnTypes;
test.each([
  ["another type of a parameter", { params: [int8], row: { id: int4 }, text: "SELECT id FROM account WHERE id = $1" }],
  ["a parameter less", { params: [], row: { id: int4 }, text: "SELECT id FROM account WHERE id = $1" }],
  ["another type of a column", { params: [], row: { id: int8 }, text: "SELECT id FROM account" }],
  ["another column", { params: [], row: { name: text }, text: "SELECT email FROM account" }],
  ["a column less", { params: [], row: { id: int4 }, text: "SELECT id, email FROM account" }],
  [
    "a column that can be null",
    { params: [], row: { revoked_at: timestamptz }, text: "SELECT revoked_at FROM api_key" },
  ],
])("%s is found", async (_difference, declaration) => {
  expect(await findDifferences([declaration])).toHaveLength(1);
});

test("a column that can be null may be declared so", async () => {
  const declared = { params: [], row: { revoked_at: nullable(timestamptz) }, text: "SELECT revoked_at FROM api_key" };
  expect(await findDifferences([declared])).toEqual([]);
});

test("values are sent and arrive in the TypeScript types of their declarations", async () => {
  const { json, jsonb, bytea, uuid, float4, float8, array } = columnTypes;
  const [bytes, day, id] = [Buffer.from([1, 2]), new Date(86_400_000), "00000000-0000-7000-8000-000000000000"];
  const echo = statement({
    params: [bool, int4, int8, float4, float8, uuid, text, bytea, timestamptz, array(uuid), array(text)],
    row: {
      bool,
      int4,
      int8,
      float4,
      float8,
      uuid,
      text,
      bytea,
      timestamptz,
      ids: array(uuid),
      words: array(text),
      json: json<{ a: number }>(),
      jsonb: jsonb<{ a: number }>(),
      missing: nullable(text),
    },
    text: `SELECT $1::boolean AS bool, $2::integer AS int4, $3::bigint AS int8, $4::real AS float4, $5::float8 AS float8,
                  $6::uuid AS uuid, $7::text AS text, $8::bytea AS bytea, $9::timestamptz AS timestamptz,
                  $10::uuid[] AS ids, $11::text[] AS words, '{"a":1}'::json AS json, '{"a":1}'::jsonb AS jsonb,
                  NULL::text AS missing`,
  });
  const [row] = await echo(db, true, 7, 2n ** 60n, 0.5, 0.1, id, "a", bytes, day, [id], ["a", "b"]);
  expect(row).toEqual({
    bool: true,
    int4: 7,
    int8: 2n ** 60n,
    float4: 0.5,
    float8: 0.1,
    uuid: id,
    text: "a",
    bytea: bytes,
    timestamptz: day,
    ids: [id],
    words: ["a", "b"],
    json: { a: 1 },
    jsonb: { a: 1 },
    missing: null,
  });
});

/** Returns whether a statement changes or locks an account in a way that lets references lock old versions of the row. */
const letsReferencesLock = (text: string): boolean => {
  const withoutUpdates = text.replace(/\bUPDATE account\b/g, "");
  const isChanged = withoutUpdates !== text || /\bDELETE FROM account\b/.test(text);
  const locks = [
    ...text.matchAll(
      /\bFROM (?:account\b|\w+ \w+ JOIN account\b)(?:[^()]|\([^()]*\))*?\bFOR (NO KEY UPDATE|UPDATE)\b(?! OF g\b)/g,
    ),
  ];
  return (isChanged && locks.length === 0) || locks.some(([, strength]) => strength !== "UPDATE");
};

test("every statement that changes an account locks it FOR UPDATE first (decision 91)", () => {
  expect(declarations.map(({ text }) => text).filter(letsReferencesLock)).toEqual([]);
  const weak = "SELECT id FROM account WHERE id IN (SELECT id FROM draft) ORDER BY id FOR NO KEY UPDATE";
  expect(letsReferencesLock("UPDATE account SET running = 1 WHERE id = $1")).toBe(true);
  expect(letsReferencesLock(`WITH locked AS (${weak}) UPDATE account SET running = 1 FROM locked`)).toBe(true);
  expect(letsReferencesLock(weak)).toBe(true);
  expect(letsReferencesLock(`UPDATE account SET running = 1 WHERE id = (${weak.replace("NO KEY ", "")})`)).toBe(false);
  expect(letsReferencesLock("SELECT id FROM generation WHERE id = $1 FOR NO KEY UPDATE")).toBe(false);
});

test("no statement of these folders is sent without a declaration, but for those of connections", () => {
  const undeclared = declaringModules.filter((file) => /\.query(<|\()/.test(readFileSync(file, "utf8")));
  expect(undeclared.sort()).toEqual(connectionFiles);
});
