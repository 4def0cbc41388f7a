import type pg from "pg";
import { OperatorError } from "../../lib/operator-error";
import { type Storage, StorageUnavailable } from "../../storage/storage";
import { hasContentSql } from "../../domain/files/sql";

const BATCH_SIZE = 500;

export interface FileRestore {
  /** Stores the content of one file if the database has a row for it. */
  store(id: string, parts: AsyncIterable<Buffer>): Promise<void>;
  /**
   * Expires files whose content is not in the backup, because they were removed after the database was read. Returns
   * the numbers of stored and of expired files.
   */
  finish(now: Date): Promise<{ files: number; removed: number }>;
}

/** Starts storing file contents; the database keeps the ids until its transaction ends. */
export async function openFileRestore(client: pg.Client, storage: Storage): Promise<FileRestore> {
  await client.query("CREATE TEMP TABLE restored_file (id uuid PRIMARY KEY) ON COMMIT DROP");
  let batch: string[] = [];
  let files = 0;
  const flush = async () => {
    await client.query("INSERT INTO pg_temp.restored_file SELECT unnest($1::uuid[])", [batch]);
    batch = [];
  };
  return {
    async store(id, parts) {
      const { rows } = await client.query(isKnownSql, [id]);
      if (rows.length === 0) return;
      await storage.put(id, parts).catch((error: unknown) => {
        throw error instanceof StorageUnavailable
          ? new OperatorError(`The file storage failed: ${error.message}`, { cause: error })
          : error;
      });
      files += 1;
      batch.push(id);
      if (batch.length === BATCH_SIZE) await flush();
    },
    async finish(now) {
      await flush();
      const { rowCount } = await client.query(expireOthersSql, [now]);
      return { files, removed: rowCount ?? 0 };
    },
  };
}

const isKnownSql = "SELECT FROM public.file WHERE id = $1 UNION ALL SELECT FROM public.input_copy WHERE id = $1";

const expireOthersSql = `
  UPDATE public.file f SET expires_at = least(f.expires_at, $1)
  WHERE ${hasContentSql("f")}
    AND NOT EXISTS (SELECT FROM pg_temp.restored_file r WHERE r.id = f.id)`;
