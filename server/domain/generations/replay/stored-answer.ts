import { bool, bytea, int4, nullable, text, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { concatInSlices } from "../../../lib/concat-bytes";
import { decryptByAny, deriveEncryptionKey, encrypt } from "../../../lib/encryption";
import type { JsonText } from "../../../lib/json/codec";
import { runInSlices } from "../../../lib/slices";
import type { ReplayHub } from "./hub";

const PIECE_BYTES = 256 * 1024;

/** A stored response body, and the output limit to which its chat was clamped; null if it was not. */
interface StoredAnswer {
  answer: JsonText;
  maxTokens: number | null;
}

/** Returns the stored response body of a generation; null if there is none. */
export async function readAnswer(hub: ReplayHub, id: string): Promise<StoredAnswer | null> {
  const [row] = await selectAnswer(hub.db, id);
  if (!row) return null;
  const { answer, isLarge, maxTokens } = row;
  const stored = isLarge ? await readPieces(hub, id) : answer;
  return stored === null ? null : { answer: openAnswer(hub, id, stored), maxTokens };
}

async function readPieces(hub: ReplayHub, id: string): Promise<JsonText | null> {
  const pieces = await selectPieces(hub.db, id);
  if (pieces.length === 0) return null;
  return runInSlices(concatInSlices(pieces.map(({ piece }) => piece)), hub.longWork);
}

/** Marks an encrypted answer; no JSON begins like this. */
const SEAL = "sealed:";
/** Answers are encrypted in one piece, so longer ones are not stored. */
const MAX_SEALED_LENGTH = 1024 * 1024;

type Secrets = Pick<ReplayHub, "secret" | "previousSecret">;

/** Returns an answer encrypted for its generation; undefined for one that is too long. */
export function sealAnswer({ secret }: Secrets, id: string, answer: JsonText): string | undefined {
  if (answer.length > MAX_SEALED_LENGTH) return undefined;
  const text = typeof answer === "string" ? answer : Buffer.from(answer).toString();
  return SEAL + encrypt(toKey(secret), id, text).toString("base64");
}

function openAnswer({ secret, previousSecret }: Secrets, id: string, stored: JsonText): JsonText {
  const start = typeof stored === "string" ? stored : Buffer.from(stored.subarray(0, SEAL.length)).toString();
  if (!start.startsWith(SEAL)) return stored;
  const text = typeof stored === "string" ? stored : Buffer.from(stored).toString();
  const keys = [secret, ...(previousSecret === undefined ? [] : [previousSecret])].map(toKey);
  return decryptByAny(keys, id, Buffer.from(text.slice(SEAL.length), "base64"));
}

const toKey = (secret: string): Buffer => deriveEncryptionKey(secret, "generation-hub answers");

const isLargeSql = `coalesce(octet_length(stored_answer) > ${PIECE_BYTES}, false)`;

const selectAnswer = statement({
  params: [uuid],
  row: { answer: nullable(text), isLarge: bool, maxTokens: nullable(int4) },
  text: `
    SELECT CASE WHEN NOT ${isLargeSql} THEN stored_answer END AS answer, ${isLargeSql} AS "isLarge",
           CASE WHEN price ? 'clamped' THEN (price ->> 'most_output_tokens')::int END AS "maxTokens"
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
