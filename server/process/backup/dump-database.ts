import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { findApplied } from "../../db/migrate";
import { type ArchiveWriter, PART_BYTES } from "./archive";
import { copySettingsSql, listSequences, listTables, type Table } from "./catalog";
import type { Manifest } from "./manifest";
import { splitParts } from "./split-parts";

/** Writes all rows of all tables from one snapshot. Returns the manifest's part about them. */
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
  // Read after the tables: sequences are outside of snapshots, and must not be behind the rows.
  const sequences = await readSequences(client);
  await client.query("COMMIT");
  return { migrations, tables, sequences };
}

async function dumpTable(client: pg.Client, { name, columns }: Table, archive: ArchiveWriter): Promise<number> {
  // Copies a query instead of the table, because COPY cannot read a partitioned table.
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
