import { readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { composeHub } from "../../compose-hub";
import { inTransaction } from "../../db/transaction";
import { type Audit, recordAudit } from "../../domain/audit";
import { applyTombstones, eraseClosedAccounts, erasePending } from "../../domain/closures";
import { operate, type Operator } from "../../domain/operator-actions";
import { type RestoredRedemptions, restoreRedemptions } from "../../domain/vouchers";
import type { Env } from "../../env";
import { OperatorError } from "../../lib/operator-error";
import { readOrCreateFile } from "../../lib/read-or-create-file";
import { openStorage } from "../../storage/open-storage";
import { describeTombstones, openTombstones } from "../../storage/open-tombstones";
import type { Tombstones } from "../../storage/tombstones";
import { openDataDir } from "../data-dir";
import { joinDatabase, readOwnMigrations, withConnection } from "../database";
import { type Entry, readEntries, verifyArchive } from "./archive";
import type { Manifest } from "./manifest";
import {
  claimEmptyDatabase,
  closeSchema,
  loadTable,
  openSchema,
  type OpenSchema,
  splitMigrations,
} from "./restore-database";
import { type FileRestore, openFileRestore } from "./restore-files";

export interface Restored {
  /** When the backup was made. */
  created_at: string;
  hub: string;
  rows: number;
  files: number;
  /** Files that were removed while the backup was made; they are expired. */
  removed: number;
  /** Tables of the backup that are not the hub's. */
  left_out: string[];
  /** Migrations that were applied after those of the backup. */
  migrations: number;
  /** Accounts, people and generations that had been erased since, and were erased again. */
  erased: number;
  /** Vouchers that were redeemed since. */
  redemptions: RestoredRedemptions;
}

interface Source {
  path: string;
  manifest: Manifest;
  secret: string;
  tombstones: Tombstones;
}

interface RestoreOptions {
  /** Restores even if it is not known what was erased since the backup was made. */
  withoutTombstones?: boolean;
}

/**
 * Restores a backup into an empty hub and audits the result. The database is filled in one transaction: after a crash
 * it is empty, and the restore can be run again. Throws OperatorError.
 */
export async function restoreBackup(
  settings: Env,
  from: string,
  operator: Operator,
  { withoutTombstones = false }: RestoreOptions = {},
): Promise<{ restored: Restored; audit: Audit }> {
  const { manifest, secrets } = await verifyArchive(from);
  splitMigrations(manifest, await readOwnMigrations());
  const env: Env = { ...settings, HUB_DATA_DIR: await openDataDir(settings.HUB_DATA_DIR) };
  const secret = secrets.get("secret");
  if (secret === undefined) throw new OperatorError(`${from} is not a whole backup: it has no secret.`);
  await checkSecrets(env, [...secrets.values()]);
  const tombstones = await openTombstones(env);
  if (!withoutTombstones) await checkTombstones(env, tombstones, manifest);
  // Holds the lock of the embedded Postgres, so that no hub starts meanwhile.
  const database = await joinDatabase(env, "server");
  try {
    const source = { path: from, manifest, secret, tombstones };
    const restored = await withConnection(database.url, (client) => fillHub(env, client, source, operator));
    return { restored, audit: await eraseAndAudit(env, database.url) };
  } finally {
    await database.leave();
  }
}

/** Rejects secrets that cannot decrypt everything in the backup. */
async function checkSecrets(env: Env, secrets: string[]): Promise<void> {
  const file = path.join(env.HUB_DATA_DIR, "secret");
  const own = env.HUB_SECRET ?? (await readFile(file, "utf8").catch(() => secrets[0]));
  if (secrets.every((secret) => secret === own || secret === env.HUB_SECRET_PREVIOUS)) return;
  throw new OperatorError(
    env.HUB_SECRET || secrets.length > 1
      ? "The backup was made under another HUB_SECRET: set HUB_SECRET, or HUB_SECRET_PREVIOUS, to the content of its entry `secret` (and the other one to that of `secret.previous`, if there is one)."
      : `${file} is of another hub: restore into another HUB_DATA_DIR.`,
  );
}

const describeTarget = (env: Env): string =>
  env.embedded
    ? `The data directory ${env.HUB_DATA_DIR} has a hub already: restore into another HUB_DATA_DIR.`
    : "The database that DATABASE_URL names has tables already: restore into a new, empty one.";

async function fillHub(env: Env, client: pg.Client, source: Source, operator: Operator): Promise<Restored> {
  const { applied, missing } = splitMigrations(source.manifest, await readOwnMigrations());
  const fill = async (): Promise<Restored> => {
    await claimEmptyDatabase(client, describeTarget(env));
    // Before the commit: without it, the next start would create a new secret, which decrypts nothing in the database.
    if (!env.HUB_SECRET) await readOrCreateFile(path.join(env.HUB_DATA_DIR, "secret"), () => source.secret);
    const schema = await openSchema(client, applied);
    const files = await openFileRestore(client, await openStorage(env));
    const leftOut = await loadEntries(client, source, schema, files);
    const counts = await files.finish(new Date());
    await closeSchema(client, schema, source.manifest.sequences, missing);
    const { created_at, hub, tables } = source.manifest;
    const rows = tables.reduce((sum, table) => sum + (leftOut.includes(table.name) ? 0 : table.rows), 0);
    const repeated = await repeatChanges(client, source.tombstones);
    const restored = { created_at, hub, rows, ...counts, left_out: leftOut, migrations: missing.length, ...repeated };
    await recordRestore(client, operator, restored);
    return restored;
  };
  const restored = await inTransaction((text) => client.query(text), fill);
  await client.query("ANALYZE");
  return restored;
}

/** Returns the names of the tables that were left out. */
async function loadEntries(
  client: pg.Client,
  { path: from, manifest }: Source,
  schema: OpenSchema,
  files: FileRestore,
): Promise<string[]> {
  const tables = new Map(manifest.tables.map((table) => [`database/${table.name}`, table]));
  const leftOut: string[] = [];
  for await (const { folder, parts } of groupEntries(readEntries(from))) {
    const table = tables.get(folder);
    if (table && !(await loadTable(client, schema, table, parts))) leftOut.push(table.name);
    else if (!table && folder.startsWith("files/")) await files.store(path.posix.basename(folder), parts);
  }
  return leftOut;
}

/** The first migration of a hub that can erase something. */
const ERASING_MIGRATION = "20261126132000_closures";

/** Throws OperatorError unless the tombstones of everything that was erased since the backup was made are known. */
async function checkTombstones(env: Env, tombstones: Tombstones, manifest: Manifest): Promise<void> {
  const start = await tombstones.findStart();
  const isOfErasingHub = manifest.migrations.some(({ name }) => name === ERASING_MIGRATION);
  if (start && (!isOfErasingHub || start <= new Date(manifest.created_at))) return;
  const found = start
    ? `The tombstones in ${describeTombstones(env)} begin after the backup was made`
    : "There are no tombstones in " + describeTombstones(env);
  throw new OperatorError(
    `${found}, so what was erased since then would be back. Set TOMBSTONES_PATH to the folder of the hub that made the ` +
      "backup, or restore with --without-tombstones.",
  );
}

/**
 * Marks what was erased since and redeems vouchers that were redeemed since, in the transaction that restores the backup.
 * Returns how many accounts, people and generations were marked, and what became of the redemptions.
 */
async function repeatChanges(
  client: pg.Client,
  log: Tombstones,
): Promise<{ erased: number; redemptions: RestoredRedemptions }> {
  const tx = queryableOf(client);
  const redeemed: RestoredRedemptions = { restored: 0, left_out: [] };
  let erased = 0;
  for await (const { tombstones, redemptions } of log.read()) {
    const { restored, left_out } = await restoreRedemptions(tx, redemptions, new Date());
    redeemed.restored += restored;
    redeemed.left_out.push(...left_out);
    erased += await applyTombstones(tx, tombstones);
  }
  return { erased, redemptions: redeemed };
}

const queryableOf = (client: pg.Client) => ({
  query: async <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows,
});

/** Records the restore in the audit log of the restored hub, in the transaction that restores it. */
async function recordRestore(client: pg.Client, operator: Operator, restored: Restored): Promise<void> {
  const tx = queryableOf(client);
  const db = { transaction: <T>(work: (on: typeof tx) => Promise<T>): Promise<T> => work(tx) };
  const action = { action: "hub.restore", target: { kind: "hub", id: "hub" } };
  await operate({ db, now: () => new Date() }, operator, action, () =>
    Promise.resolve({ before: null, after: restored, result: restored }),
  );
}

/** Erases again what was erased since the backup was made; the sweep erases what is still running. */
async function eraseAndAudit(env: Env, databaseUrl: string): Promise<Audit> {
  const composition = await composeHub(env, databaseUrl, () => Promise.resolve(new Map()));
  try {
    while ((await erasePending(composition.hub)) > 0);
    await eraseClosedAccounts(composition.hub);
    return await recordAudit(composition.hub, { isFull: true });
  } finally {
    await composition.close();
  }
}

interface EntryGroup {
  /** The folder of its parts, such as `database/public.account`; empty for entries in no folder. */
  folder: string;
  /** The content of its parts, in order. It must be read before the next group. */
  parts: AsyncIterable<Buffer>;
}

/** Yields the entries of a backup grouped by folder. The unread rest of a group is skipped. */
async function* groupEntries(entries: AsyncGenerator<Entry>): AsyncGenerator<EntryGroup> {
  let current = await entries.next();
  while (!current.done) {
    const folder = folderOf(current.value.name);
    const readParts = async function* () {
      while (!current.done && folderOf(current.value.name) === folder) {
        yield current.value.content;
        current = await entries.next();
      }
    };
    const parts = readParts();
    yield { folder, parts };
    for await (const part of readParts()) void part;
  }
}

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf("/")));
