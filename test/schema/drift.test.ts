import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventNames } from "../../server/domain/events/event-names";
import { testDatabase } from "../database";
import { parseSchema } from "./parse-schema";
import { readDatabase } from "./read-database";

const { db } = await testDatabase();
const schema = readFileSync("prisma/schema.prisma", "utf8");

test("schema.prisma and the migrations describe the same tables", async () => {
  const described = parseSchema(schema);
  expect(described.length).toBeGreaterThan(200);
  expect(await readDatabase(db)).toEqual(described);
});

test.each([
  ["another column", "ALTER TABLE account ADD COLUMN nickname text"],
  ["a column less", "ALTER TABLE file DROP COLUMN fence CASCADE"],
  ["another type", "ALTER TABLE generation ALTER COLUMN model TYPE varchar"],
  ["another precision", "ALTER TABLE event ALTER COLUMN created_at TYPE timestamptz(6)"],
  ["a column that may be null", "ALTER TABLE api_key ALTER COLUMN name DROP NOT NULL"],
  ["another default", "ALTER TABLE account ALTER COLUMN member SET DEFAULT true"],
  ["no default", "ALTER TABLE delivery ALTER COLUMN state DROP DEFAULT"],
  ["another table", "CREATE TABLE stranger (id integer PRIMARY KEY)"],
  ["another key", "CREATE UNIQUE INDEX ON character (name)"],
  ["a key less", "ALTER TABLE worker_token DROP CONSTRAINT worker_token_hash_key"],
  ["another index", "CREATE INDEX ON file (media_type)"],
  ["a reference less", "ALTER TABLE identity DROP CONSTRAINT identity_account_id_fkey"],
  [
    "another rule of deletion",
    "ALTER TABLE delivery DROP CONSTRAINT delivery_event_n_fkey, ADD FOREIGN KEY (event_n) REFERENCES event (n)",
  ],
])("detects %s only in the database", async (_change, statement) => {
  await db
    .transaction(async (tx) => {
      await tx.query(statement);
      expect(await readDatabase(tx)).not.toEqual(parseSchema(schema));
      throw new Error("rolled back");
    })
    .catch((error: Error) => expect(error.message).toBe("rolled back"));
});

test.each([
  ["a column", "  member          Boolean", "  nickname String?\n  member Boolean"],
  ["a table", "/// One try of one route.", 'model Stranger {\n  id Int @id\n\n  @@map("stranger")\n}\n'],
  ["a key", "  provider  String\n", "  provider  String @unique\n"],
  [
    "a reference",
    "  keyId            String?",
    "  key ApiKey? @relation(fields: [keyId], references: [id])\n  keyId String?",
  ],
])("detects %s only in schema.prisma", async (_change, before, after) => {
  expect(schema).toContain(before);
  expect(await readDatabase(db)).not.toEqual(parseSchema(schema.replace(before, after)));
});

test.each([
  ["models are in PascalCase", /^model (\w+)/gm, /^([A-Z][a-z\d]*)+$/],
  ["fields are in camelCase", /^ {2}(\w+) +\w/gm, /^[a-z]+\d*([A-Z][a-z]*\d*)*$/],
  ["tables and columns are in snake_case", /@map\("(\w+)"\)/g, /^[a-z]+\d*(_[a-z]+\d*)*$/],
])("%s", (_rule, declaration, casing) => {
  const names = [...schema.matchAll(declaration)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !casing.test(name))).toEqual([]);
});

test("the database accepts exactly the events that endpoints can subscribe to", async () => {
  const [row] = await db.query<{ rule: string }>(
    "SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'endpoint_events_check'",
  );
  const taken = [...row!.rule.matchAll(/'([\w.]+)'::text/g)].map(([, name]) => name);
  expect(taken.toSorted()).toEqual(eventNames.toSorted());
});
