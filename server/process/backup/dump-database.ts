import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { findApplied } from "../../db/migrate";
import { type ArchiveWriter, PART_BYTES } from "./archive";
import { copySettingsSql, listSequences, listTables, type Table } from "./catalog";
import type { Manifest } from "./manifest";
import { splitParts } from "./split-parts";

/** Writes all rows of all tables, as they were at one moment, and returns what the manifest says of them. */
export async function dumpDatabase(
  client: pg.Client,
  archive: ArchiveWriter,
): Promise<Pick<Manifest, "migrations" | "tables" | "sequences">> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  await client.query(copySettingsSql);
  const migrations = await findApplied(client);
  const tables: Manifest["tables"] = [];
  for (const table of await listTables(client))
    tables.push({ ...table, rows: await dumpTable(client, table, archive) });
  // Read after the tables: a sequence belongs to no snapshot, and must not be behind the rows of this one.
  const sequences = await readSequences(client);
  await client.query("COMMIT");
  return { migrations, tables, sequences };
}

async function dumpTable(client: pg.Client, { name, columns }: Table, archive: ArchiveWriter): Promise<number> {
  // A query in place of the table, so that a partitioned one has the rows of its partitions.
  const copy = client.query(copyTo(`COPY (SELECT ${columns.join(", ")} FROM ${name}) TO STDOUT`));
  const gzip = createGzip();
  const copied = pipeline(copy, gzip);
  copied.catch(() => undefined);
  for await (const { number, content } of splitParts(gzip, PART_BYTES))
    await archive.write(`database/${name}/${number}.gz`, content);
  await copied;
  return copy.rowCount;
}

async function readSequences(client: pg.Client): Promise<Manifest["sequences"]> {
  const sequences: Manifest["sequences"] = [];
  for (const name of await listSequences(client)) {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `SELECT last_value::text AS last, is_called AS called FROM ${name}`,
    );
    sequences.push({ name, ...rows[0]! });
  }
  return sequences;
}
