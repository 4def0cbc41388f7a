import type { HubParts } from "../../../context";
import { bytea, int4, nullable, text, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { shrinkPicture, UnreadablePicture } from "../../../lib/pictures/shrink-picture";
import type { LiveHub } from "./hub";
import { type ReportingAttempt, runningSql } from "./reporting-attempt";

const MAX_SOURCE_BYTES = 512 * 1024;
/** The decoder's limit, enough for a PNG of four megapixels. */
const MAX_DECODED_BYTES = 16 * 1024 * 1024;
/** The width of previews in pixels: enough to recognize the work, and too small to replace an output. */
const PREVIEW_WIDTH = 256;
const MAX_BYTES = 256 * 1024;
const MAX_PREVIEWS = 1_000;
/** How long a report waits while other pictures are decoded. */
const MAX_WAIT_MS = 5_000;

/**
 * Makes a picture the generation's preview, at most one a second. Returns whether it did; a picture that is too large or cannot
 * be read is ignored.
 */
export async function addPreview(
  hub: LiveHub,
  { generationId: id, attempt, runId: run_id }: ReportingAttempt,
  encoded: Buffer,
): Promise<boolean> {
  const target = { id, attempt, run_id, now: hub.now() };
  if (encoded.length > MAX_SOURCE_BYTES || (await selectDue(hub.db, target)).length === 0) return false;
  const content = await shrinkPicture(
    encoded,
    PREVIEW_WIDTH,
    AbortSignal.timeout(MAX_WAIT_MS),
    MAX_DECODED_BYTES,
  ).catch((error: unknown) => {
    if (error instanceof UnreadablePicture) return null;
    throw error;
  });
  if (!content || content.length > MAX_BYTES) return false;
  return (await upsertPreview(hub.db, { ...target, content })).length > 0;
}

const targetParams = { id: uuid, attempt: int4, run_id: nullable(text), now: timestamptz };
// A time that lies ahead was stored before the clock went back.
const isDueSql = `(at <= :now::timestamptz - interval '1 second' OR at > :now) AND n < ${MAX_PREVIEWS}`;

const selectDue = statement({
  params: targetParams,
  row: { id: uuid },
  text: `
    WITH ${runningSql}
    SELECT id FROM running
    WHERE NOT EXISTS (SELECT FROM generation_preview WHERE generation_id = :id AND NOT (${isDueSql}))`,
});

const upsertPreview = statement({
  params: { ...targetParams, content: bytea },
  row: { n: int4 },
  text: `
    WITH ${runningSql}
    INSERT INTO generation_preview AS stored (generation_id, n, at, content)
    SELECT id, 1, :now, :content FROM running
    ON CONFLICT (generation_id) DO UPDATE SET n = stored.n + 1, at = EXCLUDED.at, content = EXCLUDED.content
    RETURNING n`,
});

const runningPreviewSql = `
  FROM generation_preview p JOIN generation g ON g.id = p.generation_id WHERE g.id = $1 AND g.status = 'running'`;

/** Returns the newest preview of a running generation as WebP; null if there is none. */
export const findPreview = async ({ db }: Pick<HubParts, "db">, id: string): Promise<Buffer | null> =>
  (await selectContent(db, id))[0]?.content ?? null;

const selectContent = statement({
  params: [uuid],
  row: { content: bytea },
  text: `SELECT p.content ${runningPreviewSql}`,
});

/** Returns the URL of a generation's preview, which differs for each preview. */
export const previewUrl = ({ env }: Pick<HubParts, "env">, id: string, n: number): string =>
  `${env.BASE_URL}/api/v1/hub/generations/${id}/preview?n=${n}`;

/** Returns the URL of the newest preview of a running generation; null if there is none. */
export async function findPreviewUrl(hub: Pick<HubParts, "db" | "env">, id: string): Promise<string | null> {
  const [row] = await selectNumber(hub.db, id);
  return row ? previewUrl(hub, id, row.n) : null;
}

const selectNumber = statement({ params: [uuid], row: { n: int4 }, text: `SELECT p.n ${runningPreviewSql}` });
