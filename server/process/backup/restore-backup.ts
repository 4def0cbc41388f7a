import { readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { composeHub } from "../../compose-hub";
import { inTransaction } from "../../db/transaction";
import { type Audit, recordAudit } from "../../domain/audit";
import { operate, type Operator } from "../../domain/operator-actions";
import type { Env } from "../../env";
import { OperatorError } from "../../lib/operator-error";
import { readOrCreateFile } from "../../lib/read-or-create-file";
import { openStorage } from "../../storage/open-storage";
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
  /** Of the backup. */
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
}

interface Source {
  path: string;
  manifest: Manifest;
  secret: string;
}

/**
 * Restores a backup into an empty hub and audits the result. The database is filled in one transaction: after a crash
 * it is empty, and the restore can be run again. Throws OperatorError.
 */
export async function restoreBackup(
  settings: Env,
  from: string,
  operator: Operator,
): Promise<{ restored: Restored; audit: Audit }> {
  const { manifest, secrets } = await verifyArchive(from);
  splitMigrations(manifest, await readOwnMigrations());
  const env: Env = { ...settings, HUB_DATA_DIR: await openDataDir(settings.HUB_DATA_DIR) };
  const secret = secrets.get("secret");
  if (secret === undefined) throw new OperatorError(`${from} is not a whole backup: it has no secret.`);
  await checkSecrets(env, [...secrets.values()]);
  // Holds the lock of the embedded Postgres, so that no hub starts meanwhile.
  const database = await joinDatabase(env, "server");
  try {
    const source = { path: from, manifest, secret };
    const restored = await withConnection(database.url, (client) => fillHub(env, client, source, operator));
    return { restored, audit: await auditHub(env, database.url) };
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
    const restored = { created_at, hub, rows, ...counts, left_out: leftOut, migrations: missing.length };
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

/** Records the restore in the audit log of the restored hub, in the transaction that restores it. */
async function recordRestore(client: pg.Client, operator: Operator, restored: Restored): Promise<void> {
  const query = async <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows;
  const db = { transaction: <T>(work: (tx: { query: typeof query }) => Promise<T>): Promise<T> => work({ query }) };
  const action = { action: "hub.restore", target: { kind: "hub", id: "hub" } };
  await operate({ db, now: () => new Date() }, operator, action, () =>
    Promise.resolve({ before: null, after: restored, result: restored }),
  );
}

async function auditHub(env: Env, databaseUrl: string): Promise<Audit> {
  const composition = await composeHub(env, databaseUrl, () => Promise.resolve(new Map()));
  try {
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
