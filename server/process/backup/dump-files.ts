import type pg from "pg";
import type { Storage } from "../../storage/storage";
import { NIL_ID } from "../../lib/id";
import { type ArchiveWriter, PART_BYTES } from "./archive";
import { splitParts } from "./split-parts";
import { hasContentSql } from "../../domain/files/sql";

const BATCH_SIZE = 200;

export interface DumpedFiles {
  files: number;
  bytes: number;
  /** Files with a row, but without content in the storage. */
  lost: number;
}

/**
 * Writes the content of all files and copies of inputs that were stored before `until`. Thumbnails are left out: the
 * first request makes them again. It runs after the database was read, so that nothing that a row refers to is missing,
 * unless it was removed meanwhile.
 */
export async function dumpFiles(
  client: pg.Client,
  storage: Storage,
  archive: ArchiveWriter,
  until: Date,
): Promise<DumpedFiles> {
  const dumped: DumpedFiles = { files: 0, bytes: 0, lost: 0 };
  for (const select of [selectFilesSql, selectCopiesSql]) {
    for (let after = NIL_ID; ;) {
      const { rows } = await client.query<{ id: string }>(select, [after, until, BATCH_SIZE]);
      for (const { id } of rows) await dumpFile(client, storage, archive, id, dumped);
      if (rows.length < BATCH_SIZE) break;
      after = rows.at(-1)!.id;
    }
  }
  return dumped;
}

async function dumpFile(
  client: pg.Client,
  storage: Storage,
  archive: ArchiveWriter,
  id: string,
  dumped: DumpedFiles,
): Promise<void> {
  const content = await storage.open(id);
  if (!content) {
    const { rows } = await client.query(isStoredSql, [id]);
    dumped.lost += rows.length;
    return;
  }
  // Folders are named by the last digits, which are random; the first ones are the time.
  for await (const part of splitParts(content as AsyncIterable<Buffer>, PART_BYTES)) {
    await archive.write(`files/${id.slice(-2)}/${id}/${part.number}`, part.content);
    dumped.bytes += part.content.length;
  }
  dumped.files += 1;
}

const selectFilesSql = `
  SELECT id FROM file
  WHERE id > $1 AND created_at <= $2 AND ${hasContentSql("file")} ORDER BY id LIMIT $3`;

const selectCopiesSql = `
  SELECT id FROM input_copy WHERE id > $1 AND created_at <= $2 AND stored_at IS NOT NULL ORDER BY id LIMIT $3`;

const isStoredSql = `
  SELECT id FROM file WHERE id = $1 AND ${hasContentSql("file")}
  UNION ALL SELECT id FROM input_copy WHERE id = $1 AND stored_at IS NOT NULL`;
