import type { HubParts } from "../../context";
import { array, float4, int4, nullable, textOf, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import type { Status } from "../generations/row";
import { visibleColumns, visibleSql } from "../generations/row/sql";

/** How many generations one statement reads: an input may be a mebibyte. */
const MAX_READ = 100;
/** How many states one statement reads. */
const MAX_STATES = 1_000;

const columns = { ...visibleColumns, fence: int4, queue_position: nullable(int4) };

/** A generation as streams show it: with its place in the provider's queue. */
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

const selectGenerations = statement({
  params: [array(uuid)],
  row: columns,
  text: `
    SELECT ${visibleSql}, g.fence, ${queuePositionSql} FROM generation g WHERE g.id = ANY ($1::uuid[])`,
});

const stateColumns = {
  id: uuid,
  status: textOf<Status>(),
  fence: int4,
  progress: nullable(float4),
  queue_position: nullable(int4),
};

/** What of a generation changes while somebody follows it. */
type GenerationState = Omit<RowOf<typeof stateColumns>, "id">;

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
    SELECT g.id, g.status, g.fence, g.progress, ${queuePositionSql} FROM generation g WHERE g.id = ANY ($1::uuid[])`,
});

/** Returns a text that differs whenever there is something new to show. */
export const describeState = ({ status, fence, progress, queue_position }: GenerationState): string =>
  [status, fence, progress, queue_position].join();
