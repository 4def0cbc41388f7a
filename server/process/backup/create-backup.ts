import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { hasMigrations } from "../../db/migrate";
import type { Env } from "../../env";
import { OperatorError } from "../../lib/operator-error";
import { VERSION } from "../../lib/version";
import { openStorage } from "../../storage/open-storage";
import { openTombstones } from "../../storage/open-tombstones";
import { StorageUnavailable } from "../../storage/storage";
import { joinDatabase, withConnection } from "../database";
import { type ArchiveWriter, createArchive, SECRETS } from "./archive";
import { dumpDatabase } from "./dump-database";
import { type DumpedFiles, dumpFiles } from "./dump-files";

interface Backup extends DumpedFiles {
  path: string;
  tables: number;
  rows: number;
}

/**
 * Writes a backup of a hub, which may be running: its database in one snapshot, the content of its files, and its
 * secret. It never migrates the database, so that it can be made before an upgrade. Throws OperatorError.
 */
export async function createBackup(settings: Env, target: string): Promise<Backup> {
  const env: Env = { ...settings, HUB_DATA_DIR: path.resolve(settings.HUB_DATA_DIR) };
  if (env.embedded && !(await stat(path.join(env.HUB_DATA_DIR, "postgres.password")).catch(() => null)))
    throw new OperatorError(`There is no hub in ${env.HUB_DATA_DIR}: set HUB_DATA_DIR or DATABASE_URL.`);
  const database = await joinDatabase(env, "guest");
  try {
    return await withConnection(database.url, (client) => writeBackup(env, client, target));
  } finally {
    await database.leave();
  }
}

async function writeBackup(env: Env, client: pg.Client, target: string): Promise<Backup> {
  if (!(await hasMigrations(client))) throw new OperatorError("There is no hub in this database: check DATABASE_URL.");
  const secrets = await readSecrets(env);
  const storage = await openStorage(env);
  const tombstones = await openTombstones(env);
  const archive = await createArchive(target);
  try {
    const started = new Date();
    // What is erased from now on can be erased again when this backup is restored.
    await tombstones.begin(started);
    const database = await dumpDatabase(client, archive);
    const read = await findClock(client);
    const dumped = await dumpFiles(client, storage, archive, read);
    await writeSecrets(archive, secrets);
    await archive.commit({
      format: "generation-hub-backup",
      version: 1,
      hub: VERSION,
      created_at: started.toISOString(),
      ...database,
      files: dumped.files,
    });
    const { tables } = database;
    return { path: target, tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0), ...dumped };
  } catch (error) {
    await archive.abort();
    throw toOperatorError(error, target);
  }
}

/** Converts errors of the storage or the backup's disk to an OperatorError; returns others unchanged. */
function toOperatorError(error: unknown, target: string): unknown {
  if (error instanceof StorageUnavailable)
    return new OperatorError(`The file storage failed: ${error.message}`, { cause: error });
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === "write" ? new OperatorError(`Cannot write to ${target} (${code}).`, { cause: error }) : error;
}

/** Returns a time after which no row of the snapshot was made; clocks of several hubs may differ by a few minutes. */
async function findClock(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ until: Date }>("SELECT clock_timestamp() + interval '5 minutes' AS until");
  return rows[0]!.until;
}

const readSecrets = async (env: Env): Promise<Map<string, string>> =>
  new Map([
    [SECRETS[0]!, env.HUB_SECRET ?? (await readFile(path.join(env.HUB_DATA_DIR, "secret"), "utf8"))],
    ...(env.HUB_SECRET_PREVIOUS ? [[SECRETS[1]!, env.HUB_SECRET_PREVIOUS] as const] : []),
  ]);

async function writeSecrets(archive: ArchiveWriter, secrets: Map<string, string>): Promise<void> {
  for (const [name, secret] of secrets) await archive.write(name, Buffer.from(secret));
}
