import { Readable } from "node:stream";
import type { Ctx } from "../../context";
import { int4, int8, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import type { ByteRange } from "../../storage/storage";
import { listParts, type Part } from "./export";
import type { ExportsHub } from "./hub";

/** An archive that can be downloaded. */
export interface Archive {
  id: string;
  size: number;
  created_at: Date;
}

/**
 * Returns an archive of the account. Throws a 404 if the account has no such export, also while it is running and once it
 * has expired.
 */
export async function getArchive({ hub, account }: Ctx<ExportsHub>, id: string): Promise<Archive> {
  const [found] = isId(id) ? await selectArchive(hub.db, account.id, id, hub.now()) : [];
  if (!found) throw new AppError("resource_not_found", "There is no such export, or it has expired.");
  return { ...found, size: Number(found.size) };
}

const selectArchive = statement({
  params: [int4, uuid, timestamptz],
  row: { id: uuid, size: int8, created_at: timestamptz },
  text: `
    SELECT id, size, created_at FROM account_export
    WHERE account_id = $1 AND id = $2 AND state = 'ready' AND expires_at > $3 AND removed_at IS NULL`,
});

/** Opens a range of an archive. Throws a 410 if its content is gone, as after a restore of a backup. */
export async function openArchive(hub: ExportsHub, { id }: Archive, { start, end }: ByteRange): Promise<Readable> {
  const chunks = readRange(hub, id, start, end);
  // The first chunk is read now, so that missing content is an error instead of a broken download.
  const first = await chunks.next();
  return Readable.from(putBack(first, chunks), { objectMode: false });
}

async function* putBack(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.done) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

async function* readRange(hub: ExportsHub, id: string, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at <= end;) {
    const parts = await listParts(hub.db, id, BigInt(at));
    if (parts.length === 0) throw goneError();
    for (const part of parts) {
      if (at > end) return;
      const partEnd = Number(part.start + part.size) - 1;
      yield* await openPart(hub, part, { start: at, end: Math.min(partEnd, end) });
      at = partEnd + 1;
    }
  }
}

/** Opens a range of an archive's bytes that lies in one part. */
async function openPart({ storage }: ExportsHub, part: Part, { start, end }: ByteRange): Promise<Readable> {
  const partStart = Number(part.start);
  const content = await storage.open(part.key, { start: start - partStart, end: end - partStart });
  if (!content) throw goneError();
  return content;
}

const goneError = () => new AppError("file_expired", "The content of this export is gone. Start another one.");
