import type { Ctx } from "../../context";
import { int4, int8Number, jsonb, notNull, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { deleteFiles } from "../files";
import { cancelStoredGeneration } from "../generations/end";
import { getStoredGeneration } from "../generations/read";
import { isFinal, type VideoRequest } from "../generations/row";
import { visibleColumns, visibleSql } from "../generations/row/sql";
import type { OpenAiHub } from "../openai";
import { NIL_ID } from "../../lib/id";

const videoColumns = { ...visibleColumns, video: notNull(jsonb<VideoRequest>()) };

/** A generation that was created at `/v1/videos`. */
export type Video = RowOf<typeof videoColumns>;

/**
 * Returns a video of the account. Throws 404 `generation_not_found` alike for a missing or foreign id, one of a generation
 * that is not a video, and one of a deleted video.
 */
export async function findVideo(ctx: Ctx<OpenAiHub>, id: string): Promise<Video> {
  const { video, ...generation } = await getStoredGeneration(ctx, id);
  if (video === null) throw new AppError("generation_not_found");
  return { ...generation, video };
}

export const videoOrders = ["asc", "desc"] as const;

interface VideoPage {
  limit: number;
  order: (typeof videoOrders)[number];
  /** The id after which the page begins. */
  after: string | undefined;
}

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Returns a page of the account's videos by the time of their creation, and whether others follow. */
export async function listVideos(
  ctx: Ctx<OpenAiHub>,
  { limit, order, after }: VideoPage,
): Promise<{ videos: Video[]; hasMore: boolean }> {
  const { db } = ctx.hub;
  const rows =
    order === "asc"
      ? await selectOldest(db, ctx.account.id, after ?? NIL_ID, limit + 1)
      : await selectNewest(db, ctx.account.id, after ?? LAST_ID, limit + 1);
  return { videos: rows.slice(0, limit), hasMore: rows.length > limit };
}

// BETWEEN and ORDER BY account_id keep the planner on the index of videos, as in the list of generations.
const declareSelect = (comparison: "<" | ">", order: "ASC" | "DESC") =>
  statement({
    params: [int4, uuid, int8Number],
    row: videoColumns,
    text: `
      SELECT ${visibleSql}, g.video FROM generation g
      WHERE g.account_id BETWEEN $1 AND $1 AND g.video IS NOT NULL AND g.id ${comparison} $2
      ORDER BY g.account_id ${order}, g.id ${order} LIMIT $3`,
  });
const selectOldest = declareSelect(">", "ASC");
const selectNewest = declareSelect("<", "DESC");

/**
 * Cancels a video that has not started, deletes the files of one that has ended, and removes it from `/v1/videos`; its
 * generation and its charge stay. Throws 404 like `findVideo`, 409 `generation_not_cancelable` while it is being made, and
 * 409 `file_in_use` while an unfinished generation uses it. A repetition completes what was interrupted.
 */
export async function deleteVideo(ctx: Ctx<OpenAiHub>, { id, status, outputs }: Video): Promise<void> {
  if (!isFinal(status)) await cancelStoredGeneration(ctx, id);
  const { in_use } = await deleteFiles(
    ctx,
    outputs.map((output) => output.id),
  );
  if (in_use > 0) throw new AppError("file_in_use", "This video is used by an unfinished generation.");
  await hideVideo(ctx.hub.db, ctx.account.id, id);
}

const hideVideo = statement({
  params: [int4, uuid],
  row: {},
  text: "UPDATE generation SET video = NULL WHERE account_id = $1 AND id = $2",
});
