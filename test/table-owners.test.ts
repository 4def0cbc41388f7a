import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { domainFolders } from "./architecture";

/** The tables that each folder writes: folders of the domain by docs/architecture.md, and folders below it. */
const owners: Record<string, string[]> = {
  ...Object.fromEntries(domainFolders.map(({ name, tables }) => [`server/domain/${name}`, tables])),
  // A restore ends the files whose content its backup does not have, and the log of changes.
  "server/process/backup": ["file", "generation_change"],
  "server/catalogue": ["catalogue_revision", "offered_model"],
  "server/db": ["_prisma_migrations"],
  // The schema of the embedded engine.
  "inngest/embedded": ["engine"],
};

/** Tables that only migrations write. */
const MIGRATED = new Set(["hub_default"]);

const files = ["app", "server", "inngest"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)),
);

// In SQL, through the Prisma client, and by `createTouch`, which updates one column of a table.
const writes = [
  /\b(?:INSERT INTO|DELETE FROM|(?<!FOR |KEY |DO )UPDATE)\s+(?:ONLY\s+)?(?:public\.|(?!pg_temp\.))"?(\w+)/g,
  /\bprisma\s*\.(\w+)\s*\.(?:create|update|upsert|delete)/g,
  /\bcreateTouch\(\w+, "(\w+)\./g,
];
const toTable = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const findWrites = (text: string) =>
  writes.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => toTable(name!)));
const found = files.flatMap((file) => findWrites(readFileSync(file, "utf8")).map((table) => ({ file, table })));

const folderOf = (file: string) =>
  Object.keys(owners).find((folder) => file.startsWith(`${folder}/`) || file === `${folder}.ts`);

test("every table has an owner", () => {
  const tables = [...readFileSync("prisma/schema.prisma", "utf8").matchAll(/@@map\("(\w+)"\)/g)].map(
    ([, name]) => name!,
  );
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter((table) => !Object.values(owners).flat().includes(table))).toEqual([]);
});

test("a table is written in the folders of its owners, and nowhere else", () => {
  expect(found.filter(({ file }) => folderOf(file) === undefined)).toEqual([]);
  for (const [folder, tables] of Object.entries(owners)) {
    const written = new Set(found.flatMap(({ file, table }) => (folderOf(file) === folder ? [table] : [])));
    const own = tables.filter((table) => !MIGRATED.has(table));
    expect({ folder, tables: [...written].sort() }).toEqual({ folder, tables: own.sort() });
  }
});

test("docs/data.md names the folders that write each table", () => {
  const rows = [...readFileSync("docs/data.md", "utf8").matchAll(/^\| `(\w+)` \|.*\|([^|]*)\|$/gm)];
  expect(rows.length).toBeGreaterThan(40);
  for (const [, table, writers] of rows) {
    const named = [...writers!.matchAll(/`(server\/[^`]+)\/`/g)].map(([, folder]) => folder!);
    const owning = Object.keys(owners).filter((folder) => owners[folder]!.includes(table!));
    expect({ table, folders: named.sort() }).toEqual({ table, folders: owning.sort() });
  }
});

test.each([
  ["UPDATE account SET running = 1", ["account"]],
  ["WITH a AS (INSERT INTO\n event (id) VALUES (1)) DELETE FROM delivery", ["event", "delivery"]],
  ["SELECT FROM account FOR NO KEY UPDATE OF account", []],
  ["INSERT INTO key_spending AS s VALUES (1) ON CONFLICT (key_id) DO UPDATE SET reserved = 1", ["key_spending"]],
  ["hub.db.prisma.apiKey.updateMany({})", ["api_key"]],
  ["hub.db.prisma.apiKey.findMany({})", []],
  ['createTouch(hub, "session.last_seen_at")', ["session"]],
])("%s writes %j", (text, tables) => {
  expect(findWrites(text).sort()).toEqual([...tables].sort());
});
