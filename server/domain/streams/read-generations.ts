import type { HubParts } from "../../context";
import { array, float4, int4, int8, jsonb, nullable, textOf, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { newestLineSql, newestPreviewSql } from "../generations/live/sql";
import type { Status } from "../generations/row";
import { visibleColumns, visibleSql } from "../generations/row/sql";

/** How many generations one statement reads: an input may be a mebibyte. */
const MAX_READ = 100;
/** How many states one statement reads. */
const MAX_STATES = 1_000;

/**
 * An output that is stored while its generation still runs. Its content can be fetched once the generation has succeeded.
 */
export interface StoredOutput {
  index: number;
  media_type: string;
  size: number;
}

const liveColumns = { fence: int4, queue_position: nullable(int4), line_n: nullable(int8), preview_n: nullable(int4) };
const columns = { ...visibleColumns, ...liveColumns, stored_outputs: jsonb<StoredOutput[]>() };

/** A generation as streams show it, including what exists only while it runs. */
export type StreamedGeneration = RowOf<typeof columns>;

/** Yields the generations with these ids, some at a time. */
export async function* readGenerations(
  { db }: Pick<HubParts, "db">,
  ids: string[],
): AsyncGenerator<StreamedGeneration[]> {
  for (let start = 0; start < ids.length; start += MAX_READ)
    yield await selectGenerations(db, ids.slice(start, start + MAX_READ));
}

const queuePositionSql = `(
  SELECT max(a.queue_position) FROM attempt a
  WHERE g.status = 'running' AND a.generation_id = g.id AND a.ended_at IS NULL) AS queue_position`;

const liveSql = `g.fence, ${queuePositionSql}, ${newestLineSql} AS line_n, ${newestPreviewSql} AS preview_n`;

// Outputs of earlier, failed attempts are left out.
const storedOutputsSql = `
  FROM file f
  WHERE g.status = 'running' AND f.generation_id = g.id AND f.fence = g.fence AND f.sha256 IS NOT NULL
    AND f.created_at >= (SELECT max(a.started_at) FROM attempt a WHERE a.generation_id = g.id AND a.ended_at IS NULL)`;

const storedListSql = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('index', f.index, 'media_type', f.media_type, 'size', f.size)
                            ORDER BY f.index), '[]')
  ${storedOutputsSql}) AS stored_outputs`;

const selectGenerations = statement({
  params: [array(uuid)],
  row: columns,
  text: `
    SELECT ${visibleSql}, ${liveSql}, ${storedListSql}
    FROM generation g WHERE g.id = ANY ($1::uuid[])`,
});

/** Returns the stored outputs of a running generation. */
export const listStoredOutputs = async ({ db }: Pick<HubParts, "db">, id: string): Promise<StoredOutput[]> =>
  (await selectStoredOutputs(db, id))[0]?.stored_outputs ?? [];

const selectStoredOutputs = statement({
  params: [uuid],
  row: { stored_outputs: jsonb<StoredOutput[]>() },
  text: `SELECT ${storedListSql} FROM generation g WHERE g.id = $1`,
});

const stateColumns = {
  id: uuid,
  status: textOf<Status>(),
  progress: nullable(float4),
  ...liveColumns,
  stored_count: int4,
};

/** The fields of a generation that change while somebody follows it, except its log lines. */
type GenerationState = Omit<RowOf<typeof stateColumns>, "id" | "line_n">;

/** Yields the states of the generations with these ids, some at a time. */
export async function* readStates(
  { db }: Pick<HubParts, "db">,
  ids: string[],
): AsyncGenerator<RowOf<typeof stateColumns>[]> {
  for (let start = 0; start < ids.length; start += MAX_STATES)
    yield await selectStates(db, ids.slice(start, start + MAX_STATES));
}

const selectStates = statement({
  params: [array(uuid)],
  row: stateColumns,
  text: `
    SELECT g.id, g.status, g.progress, ${liveSql}, (SELECT count(*)::int ${storedOutputsSql}) AS stored_count
    FROM generation g WHERE g.id = ANY ($1::uuid[])`,
});

/** Returns a text that changes whenever the state changes; log lines are not part of it. */
export const stateKeyOf = ({
  status,
  fence,
  progress,
  queue_position,
  preview_n,
  stored_count,
}: GenerationState): string => [status, fence, progress, queue_position, preview_n, stored_count].join();
