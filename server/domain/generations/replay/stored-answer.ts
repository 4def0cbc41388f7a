import { bool, bytea, nullable, text, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { concatInSlices } from "../../../lib/concat-bytes";
import type { JsonText } from "../../../lib/json/codec";
import { runInSlices } from "../../../lib/slices";
import type { ReplayHub } from "./hub";

const PIECE_BYTES = 256 * 1024;

/** Returns the stored response body of a generation; null if there is none. */
export async function readAnswer(hub: ReplayHub, id: string): Promise<JsonText | null> {
  const [row] = await selectAnswer(hub.db, id);
  if (!row?.isLarge) return row?.answer ?? null;
  const pieces = await selectPieces(hub.db, id);
  if (pieces.length === 0) return null;
  return runInSlices(concatInSlices(pieces.map(({ piece }) => piece)), hub.longWork);
}

const isLargeSql = `coalesce(octet_length(stored_answer) > ${PIECE_BYTES}, false)`;

const selectAnswer = statement({
  params: [uuid],
  row: { answer: nullable(text), isLarge: bool },
  text: `
    SELECT CASE WHEN NOT ${isLargeSql} THEN stored_answer END AS answer, ${isLargeSql} AS "isLarge"
    FROM generation WHERE id = $1`,
});

// Rows arrive one by one, and bytes need no decoding: one long text would block the event loop.
const selectPieces = statement({
  params: [uuid],
  row: { piece: bytea },
  text: `
    WITH whole AS MATERIALIZED (
      SELECT convert_to(stored_answer, 'UTF8') AS bytes FROM generation WHERE id = $1 AND stored_answer IS NOT NULL)
    SELECT substring(bytes FROM start FOR ${PIECE_BYTES}) AS piece
    FROM whole, generate_series(1, length(bytes), ${PIECE_BYTES}) start ORDER BY start`,
});
