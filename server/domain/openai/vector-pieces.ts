import { bytea, int4, int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { concatBytes } from "../../lib/concat-bytes";
import { RETENTION_DAYS } from "../generations/replay";
import type { OpenAiHub } from "./hub";

const PIECE_BYTES = 256 * 1024;
const DAY_MS = 86_400_000;

/** Stores the vectors of a generation in pieces, one statement for each. May be repeated. */
export async function storeVectors(hub: OpenAiHub, generationId: string, vectors: Buffer[]): Promise<void> {
  const perPiece = Math.max(1, Math.floor(PIECE_BYTES / vectors[0]!.length));
  for (let at = 0; at < vectors.length; at += perPiece) {
    const some = vectors.slice(at, at + perPiece);
    const content = Buffer.from(concatBytes(some, some.length * some[0]!.length).buffer);
    await insertPiece(hub.db, generationId, at / perPiece, content, hub.now());
  }
}

const insertPiece = statement({
  params: [uuid, int4, bytea, timestamptz],
  row: {},
  text: `
    INSERT INTO vector_piece (generation_id, n, content, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (generation_id, n) DO NOTHING`,
});

/** Yields the stored vectors of a generation, of `size` bytes each. */
export async function* readVectors(hub: OpenAiHub, generationId: string, size: number): AsyncGenerator<Buffer> {
  for (let n = 0; ; n += 1) {
    const [piece] = await selectPiece(hub.db, generationId, n);
    if (!piece) return;
    for (let at = 0; at < piece.content.length; at += size) yield piece.content.subarray(at, at + size);
  }
}

const selectPiece = statement({
  params: [uuid, int4],
  row: { content: bytea },
  text: "SELECT content FROM vector_piece WHERE generation_id = $1 AND n = $2",
});

/** For how many days pieces are kept: longer than the answers that name them. */
export const PIECE_RETENTION_DAYS = RETENTION_DAYS.answer + 1;

/** Deletes up to `limit` old pieces, which no stored answer names any more. Returns how many. */
export async function purgeVectors(hub: OpenAiHub, limit: number): Promise<number> {
  return (await deletePieces(hub.db, new Date(hub.now().getTime() - PIECE_RETENTION_DAYS * DAY_MS), limit)).length;
}

const deletePieces = statement({
  params: [timestamptz, int8Number],
  row: { generation_id: uuid },
  text: `
    DELETE FROM vector_piece WHERE (generation_id, n) IN (
      SELECT generation_id, n FROM vector_piece WHERE created_at < $1
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING generation_id`,
});
