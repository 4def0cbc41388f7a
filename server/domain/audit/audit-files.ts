import { createHash } from "node:crypto";
import { bytea, int8, int8Number, notNull, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import { isStorageUnavailable } from "../../lib/is-unavailable";
import { NIL_ID } from "../../lib/id";
import type { Violation } from "./audit";
import type { AuditHub } from "./hub";
import { hasContentSql } from "../files/sql";

const CHUNK_SIZE = 500;
/** How many contents the storage is asked about at once, or reads at once. */
const MAX_DESCRIBED = 16;
const MAX_READ = 4;
const CHECK = "the content of every file is in the storage";

export interface FileAudit {
  files: number;
  bytes: number;
  violations: Violation[];
}

/**
 * Compares the contents in the storage with the rows of files and copies of inputs: all of them, or `count` at random.
 * Compares sizes, and hashes if the storage has them or if `isFull` reads the contents, never whole into memory. Safe on a
 * live system. Rejects with StorageUnavailable when the storage does not respond.
 */
export async function auditFiles(
  hub: AuditHub,
  { count, isFull }: { count: number | "all"; isFull: boolean },
): Promise<FileAudit> {
  await hub.storage.check();
  const audit: FileAudit = { files: 0, bytes: 0, violations: [] };
  const limit = createConcurrencyLimit(isFull ? MAX_READ : MAX_DESCRIBED);
  const checkRows = async (rows: ContentRow[]) => {
    const issues = await Promise.all(rows.map((row) => limit.run(() => findLastingIssue(hub, row, isFull))));
    audit.files += rows.length;
    audit.bytes += rows.reduce((sum, { size }) => sum + Number(size), 0);
    audit.violations.push(
      ...issues.flatMap((message, n) => (message ? { check: CHECK, subject: `file ${rows[n]!.id}`, message } : [])),
    );
  };
  if (count !== "all") {
    await checkRows(await selectRandom(hub.db, hub.now(), count));
    return audit;
  }
  for (let after = NIL_ID; ;) {
    const rows = await selectNext(hub.db, hub.now(), after, CHUNK_SIZE);
    await checkRows(rows);
    if (rows.length < CHUNK_SIZE) return audit;
    after = rows.at(-1)!.id;
  }
}

/** Returns what is wrong with a content; null if nothing is, or if its row was removed meanwhile. */
async function findLastingIssue(hub: AuditHub, row: ContentRow, isFull: boolean): Promise<string | null> {
  const issue = await findIssue(hub, row, isFull).catch(async (error: unknown) => {
    // Throws when the whole storage is unavailable, not only this content.
    if (isStorageUnavailable(error)) await hub.storage.check();
    return `cannot be read: ${(error as Error).message}`;
  });
  return issue === null || (await selectOne(hub.db, hub.now(), row.id)).length === 0 ? null : issue;
}

async function findIssue(
  { storage }: AuditHub,
  { id, size, sha256 }: ContentRow,
  isFull: boolean,
): Promise<string | null> {
  const found = await storage.describe(id);
  if (!found) return "has no content";
  if (BigInt(found.size) !== size) return `has ${found.size} bytes instead of ${size}`;
  let hash = found.sha256;
  if (isFull) {
    const content = await storage.open(id, undefined, Number(size));
    if (!content) return "has no content";
    const digest = createHash("sha256");
    for await (const chunk of content) digest.update(chunk as Buffer);
    hash = digest.digest();
  }
  return hash === null || hash.equals(sha256) ? null : `has content with the hash ${hash.toString("hex")}`;
}

const contentColumns = { id: uuid, size: notNull(int8), sha256: notNull(bytea) };
type ContentRow = RowOf<typeof contentColumns>;

// A file that has expired by `$1` may be removed at any moment.
const contentsSql = `
  SELECT id, size, sha256 FROM (
    SELECT id, size, sha256 FROM file WHERE ${hasContentSql("file")} AND expires_at > $1
    UNION ALL
    SELECT c.id, c.size, c.sha256 FROM input_copy c JOIN generation g ON g.id = c.generation_id
    WHERE c.stored_at IS NOT NULL AND g.settled_at IS NULL
  ) content`;

const selectRandom = statement({
  params: [timestamptz, int8Number],
  row: contentColumns,
  text: `${contentsSql} ORDER BY random() LIMIT $2`,
  isLong: true,
});

const selectNext = statement({
  params: [timestamptz, uuid, int8Number],
  row: contentColumns,
  text: `${contentsSql} WHERE id > $2 ORDER BY id LIMIT $3`,
  isLong: true,
});

const selectOne = statement({
  params: [timestamptz, uuid],
  row: contentColumns,
  text: `${contentsSql} WHERE id = $2`,
});
