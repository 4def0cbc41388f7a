import { expect, test } from "vitest";
import { personalData } from "../../scripts/docs/personal-data";
import { testDatabase } from "../database";

// docs/personal-data.yaml says of every column whether it is personal data, and docs/privacy.md what that means.
const { db } = await testDatabase();
const rows = await db.query<{ name: string }>(`
  SELECT CASE table_schema WHEN 'public' THEN '' ELSE table_schema || '.' END || table_name || '.' || column_name AS name
  FROM information_schema.columns
  WHERE table_schema IN ('public', 'engine') AND table_name <> '_prisma_migrations'`);
const columns = new Set(rows.map(({ name }) => name));
const classified = [...personalData.kinds, { columns: personalData.notPersonal }].flatMap(({ columns }) =>
  Object.entries(columns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`)),
);

test("every column of the database is classified", () => {
  const missing = [...columns].filter((name) => !classified.includes(name)).sort();
  const remedy =
    "Add each column to docs/personal-data.yaml: to the kind of personal data that it is, or under notPersonal if it says " +
    "nothing about a person. Then run `npm run docs`, which writes the table of docs/privacy.md.";
  expect(columns.size).toBeGreaterThan(400);
  expect(missing, remedy).toEqual([]);
});

test("every classified column exists, and is classified once", () => {
  expect(classified.filter((name) => !columns.has(name))).toEqual([]);
  expect(classified.filter((name, index) => classified.indexOf(name) !== index)).toEqual([]);
});
