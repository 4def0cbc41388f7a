import { createHash } from "node:crypto";
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import type pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { applyMigrations, readMigrations } from "../../server/db/migrate";
import { readEnv } from "../../server/env";
import { createBackup } from "../../server/process/backup/create-backup";
import { checksumLine, type Manifest } from "../../server/process/backup/manifest";
import { restoreBackup } from "../../server/process/backup/restore-backup";
import { openDiskStorage } from "../../server/storage/disk";
import { withClient } from "../cluster";
import { emptyDatabase } from "../database";
import { testOperator } from "../operator";
import { openBucket } from "../s3";
import { soakCount } from "../soak";
import { dumpDatabase } from "../upgrade/dump-database";
import { fixtureSettings } from "../upgrade/fixture";
import { loadFixture } from "../upgrade/load-fixture";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-backup-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const ownMigrations = await readMigrations("prisma/migrations");

interface Place {
  url: string;
  dataDir: string;
}
let places = 0;
async function newPlace(): Promise<Place> {
  const dataDir = path.join(folder, `hub-${(places += 1)}`);
  await mkdir(dataDir);
  return { url: await emptyDatabase(), dataDir };
}
const envOf = ({ url, dataDir }: Place, changes: Record<string, string> = {}) =>
  readEnv({ ...fixtureSettings, LOG_LEVEL: "silent", DATABASE_URL: url, HUB_DATA_DIR: dataDir, ...changes });

/** A hub of an older version, whose jobs, webhooks and trainings are under way. */
const old = await newPlace();
await loadFixture("bc99aaf", { databaseUrl: old.url, dataDir: old.dataDir, receiver: "localhost:4443" });
const archives = { folder: path.join(folder, "backup"), tar: path.join(folder, "backup.tar") };
for (const target of Object.values(archives)) await createBackup(envOf(old), target);
const restoreInto = (place: Place, from: string, changes: Record<string, string> = {}) =>
  restoreBackup(envOf(place, changes), from, testOperator, { withoutTombstones: true });

/** Stays empty: every restore into it is rejected. */
const empty = await newPlace();
const rotatedSecrets = {
  HUB_SECRET: "another secret of thirty-two characters",
  HUB_SECRET_PREVIOUS: fixtureSettings.HUB_SECRET,
};

/** Returns all rows of a database as lines that insert them, without those that a restore adds. */
const readRows = async ({ url }: Place): Promise<string[]> =>
  withClient(url, async (client) =>
    (await dumpDatabase(client))
      .split("\n")
      .filter((line) => !/INTO public\.(operator_action\w*|audit_verdict|end_user_key) /.test(line)),
  );

const isChange = (line: string) => line.startsWith("INSERT INTO public.generation_change ");

async function readContents({ url, dataDir }: Place): Promise<Record<string, string>> {
  const storage = await openDiskStorage(path.join(dataDir, "files"));
  const { rows } = await withClient(url, (client) =>
    client.query<{ id: string }>("SELECT id FROM file WHERE stored_at IS NOT NULL AND removed_at IS NULL ORDER BY id"),
  );
  const contents = rows.map(async ({ id }) => {
    const content = await storage.open(id);
    return [id, content ? (await buffer(content)).toString("base64") : "none"] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

const kinds = Object.entries(archives).slice(0, soakCount(1, 2));
describe.each(kinds)("a backup as %s", (_name, archive) => {
  test("gives another hub every row and file, and the schema of its version", async () => {
    const twin = await newPlace();
    const { restored, audit } = await restoreInto(twin, archive);
    expect(audit.violations).toEqual([]);
    expect(restored).toMatchObject({ removed: 0, left_out: [] });
    expect(restored.files).toBeGreaterThan(2);
    expect(restored.migrations).toBeGreaterThan(5);

    // The old hub as an upgrade changes it.
    const upgraded = await newPlace();
    await loadFixtureRows(upgraded);
    await withClient(upgraded.url, (client) => applyMigrations(client, ownMigrations));
    expect((await readRows(twin)).map(maskNewIds)).toEqual((await readRows(upgraded)).map(maskNewIds));
    expect(await readContents(twin)).toEqual(await readContents(old));
    expect(await withClient(twin.url, describeSchema)).toEqual(await withClient(upgraded.url, describeSchema));
    const { rows } = await withClient(twin.url, (client) => client.query("SELECT action, via FROM operator_action"));
    expect(rows).toEqual([{ action: "hub.restore", via: "cli" }]);
  });

  test("is refused by a hub that has data, which it leaves alone", async () => {
    const rows = await readRows(old);
    await expect(restoreInto(old, archive)).rejects.toThrow("has tables already: restore into a new, empty one.");
    expect(await readRows(old)).toEqual(rows);
  });
});

/** The upgrade gives each attempt a random id. */
const maskNewIds = (line: string) =>
  line.includes("INTO public.attempt ") ? line.replace(/"id":"[^"]+"/, '"id":""') : line;

/** Copies the rows of the old hub by SQL, independently of backups. */
async function loadFixtureRows(place: Place): Promise<void> {
  const dump = await withClient(old.url, dumpDatabase);
  const applied = await withClient(old.url, (client) =>
    client.query<{ migration_name: string }>("SELECT migration_name FROM _prisma_migrations"),
  );
  const names = new Set(applied.rows.map((row) => row.migration_name));
  await withClient(place.url, async (client) => {
    await applyMigrations(client, ownMigrations.filter(({ name }) => names.has(name))); // prettier-ignore
    await client.query("SET session_replication_role = replica");
    await client.query(dump);
  });
}

async function describeSchema(client: pg.Client) {
  const { rows } = await client.query<{ on: string; name: string; text: string; state: string }>(`
    SELECT conrelid::regclass::text AS on, conname AS name, pg_get_constraintdef(oid) AS text, convalidated::text AS state
    FROM pg_constraint WHERE connamespace::regnamespace::text IN ('public', 'engine')
    UNION ALL SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT schemaname, sequencename, '', last_value::text FROM pg_sequences
    ORDER BY 1, 2, 3`);
  return rows;
}

test("a backup of this version gives another hub the same rows", async () => {
  const source = await newPlace();
  // Under another secret, with the backup's secret as the previous one.
  await restoreInto(source, archives.tar, rotatedSecrets);
  await withClient(source.url, (client) =>
    client.query(`
      INSERT INTO generation_change (xid, account_id, generation_id, step, read_at)
      SELECT pg_current_xact_id()::text::bigint, account_id, id, 0, now() FROM generation LIMIT 1`),
  );
  expect((await readRows(source)).filter(isChange)).toHaveLength(1);
  const copy = path.join(folder, "same-version");
  await createBackup(envOf(source), copy);
  const twin = await newPlace();
  expect((await restoreInto(twin, copy)).restored).toMatchObject({ migrations: 0 });
  // Except for the log of changes, whose rows contain transaction ids of their cluster.
  expect(await readRows(twin)).toEqual((await readRows(source)).filter((line) => !isChange(line)));
  expect(await readContents(twin)).toEqual(await readContents(old));
});

describe("an incomplete or damaged backup is refused before anything is changed", () => {
  const copyOf = async (name: string, change: (copy: string) => Promise<unknown>) => {
    const copy = path.join(folder, `${(places += 1)}-${path.basename(name)}`);
    await cp(name, copy, { recursive: true });
    await change(copy);
    return copy;
  };
  const cases: [title: string, archive: keyof typeof archives, change: (copy: string) => Promise<unknown>][] = [
    ["cut off", "tar", async (copy) => truncate(copy, (await stat(copy)).size / 2)],
    ["cut off before the manifest", "tar", async (copy) => truncate(copy, 512)],
    ["without a manifest", "folder", (copy) => rm(path.join(copy, "manifest.json"))],
    ["without a part", "folder", (copy) => rm(path.join(copy, "database/public.account/000001.gz"))],
    ["with a part that was changed", "folder", (copy) => appendFile(path.join(copy, "secret"), "x")],
    ["with lines removed", "folder", (copy) => truncate(path.join(copy, "SHA256SUMS"), 0)],
    [
      "that names files elsewhere",
      "folder",
      (copy) => writeFile(path.join(copy, "SHA256SUMS"), "0  ../../etc/passwd\n"),
    ],
    [
      "with a bit flipped",
      "tar",
      async (copy) => {
        const content = await readFile(copy);
        content[Math.floor(content.length / 2)]! ^= 1;
        await writeFile(copy, content);
      },
    ],
  ];
  test.each(cases)("%s (%s)", async (_title, archive, change) => {
    const copy = await copyOf(archives[archive], change);
    await expect(restoreInto(empty, copy)).rejects.toThrow(`${copy} is not a whole backup: `);
    expect(await withClient(empty.url, dumpDatabase)).toBe("");
  });

  test("one that is still being written", async () => {
    const partial = await copyOf(archives.folder, () => Promise.resolve());
    await cp(partial, `${partial}.partial`, { recursive: true });
    await expect(restoreInto(empty, `${partial}.partial`)).rejects.toThrow("it was cut off, or is still");
    await expect(createBackup(envOf(old), partial)).rejects.toThrow("exists already: choose another name");
    await rm(partial, { recursive: true });
    await expect(createBackup(envOf(old), partial)).rejects.toThrow("is what a backup left that was cut off");
  });
});

test("a restore verifies every reference, and leaves the database empty when one is wrong", async () => {
  const copy = path.join(folder, "forged");
  await cp(archives.folder, copy, { recursive: true });
  const name = "database/public.account/000001.gz";
  const sums = path.join(copy, "SHA256SUMS");
  const manifestFile = path.join(copy, "manifest.json");
  const manifest = JSON.parse(await readFile(manifestFile, "utf8")) as Manifest;
  // Without the account, the other rows of the hub refer to a missing one. All checksums are right.
  const content = gzipSync("");
  await writeFile(path.join(copy, name), content);
  const lines = (await readFile(sums, "utf8")).split("\n").map((line) => {
    return line.endsWith(`  ${name}`) ? checksumLine(name, content).trim() : line;
  });
  await writeFile(sums, lines.join("\n"));
  const digest = createHash("sha256").update(lines.join("\n")).digest("hex");
  await writeFile(manifestFile, JSON.stringify({ ...manifest, digest }));
  await expect(restoreInto(empty, copy)).rejects.toThrow("public.account has 0 rows in the backup, not 1");
  const tables = manifest.tables.map((table) => (table.name === "public.account" ? { ...table, rows: 0 } : table));
  await writeFile(manifestFile, JSON.stringify({ ...manifest, digest, tables }));
  await expect(restoreInto(empty, copy)).rejects.toThrow("violates foreign key constraint");
  expect(await withClient(empty.url, dumpDatabase)).toBe("");
});

test("a backup of another version or under another secret is refused with what to do", async () => {
  const copy = path.join(folder, "newer");
  const alter = async (from: string, to: string) => {
    await rm(copy, { recursive: true, force: true });
    await cp(archives.folder, copy, { recursive: true });
    const manifest = await readFile(path.join(copy, "manifest.json"), "utf8");
    await writeFile(path.join(copy, "manifest.json"), manifest.replace(from, to));
  };
  const [first] = ownMigrations;
  await alter(first!.name, "20990101000000_later");
  await expect(restoreInto(empty, copy)).rejects.toThrow(/^The backup is of hub .* 20990101000000_later: /);
  await alter(first!.checksum, first!.checksum.replace(/./g, "0"));
  await expect(restoreInto(empty, copy)).rejects.toThrow("differs from the one here");

  const { HUB_SECRET } = rotatedSecrets;
  await expect(restoreInto(empty, archives.tar, { HUB_SECRET })).rejects.toThrow("made under another HUB_SECRET");
});

test("files whose content is gone expire, and a bucket is read and filled like a disk", async () => {
  const bucket = await openBucket();
  const place = await newPlace();
  const [lost] = Object.keys(await readContents(old));
  const copy = path.join(folder, "lossy");
  const source = await newPlace();
  await cp(path.join(old.dataDir, "files"), path.join(source.dataDir, "files"), { recursive: true });
  const storage = await openDiskStorage(path.join(source.dataDir, "files"));
  await storage.remove(lost!);
  expect(await createBackup(envOf({ ...source, url: old.url }), copy)).toMatchObject({ lost: 1 });
  const { restored, audit } = await restoreInto(place, copy, bucket.env);
  expect(restored).toMatchObject({ removed: 1 });
  expect(audit.violations).toEqual([]);
  expect((await bucket.keys()).length).toBe(restored.files);
  const { rows } = await withClient(place.url, (client) =>
    client.query<{ id: string }>("SELECT id FROM file WHERE removed_at IS NULL AND expires_at <= now()"),
  );
  expect(rows).toEqual([{ id: lost }]);

  const second = path.join(folder, "from-bucket.tar");
  expect(await createBackup(envOf(place, bucket.env), second)).toMatchObject({ files: restored.files, lost: 1 });
  expect((await readdir(folder)).filter((name) => name.endsWith(".partial"))).not.toContain("from-bucket.tar.partial");
});
