import { buffer } from "node:stream/consumers";
import { timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { shrinkPicture, UnreadablePicture } from "../../lib/pictures/shrink-picture";
import { createWorkQueue } from "../../lib/work-queue";
import { yieldOnce } from "../../lib/yield-once";
import type { FileRow } from "./file";
import { openContent } from "./find-file";
import type { FileServices, FilesHub } from "./hub";

/** The widths of thumbnails, in pixels, as the query parameter `w` names them. */
export const thumbnailWidths = ["128", "512"] as const;
export type ThumbnailWidth = (typeof thumbnailWidths)[number];

/** Larger pictures have no thumbnail: the content is held in memory while it is decoded. */
const MAX_SOURCE_BYTES = 50 * 1024 ** 2;
const MAX_RUNNING = 2;
const MAX_PENDING = 500;
const MAX_WAIT_MS = 15_000;
/** A file that expires sooner is not given a stored thumbnail, which its removal could miss. */
const MIN_REMAINING_MS = 60_000;

const thumbnailKey = (id: string, width: ThumbnailWidth) => `${id}.w${width}`;

/** Returns the services of files. */
export const createFileServices = (): FileServices => ({
  thumbnails: createWorkQueue({
    maxRunning: MAX_RUNNING,
    maxPending: MAX_PENDING,
    maxWaitMs: MAX_WAIT_MS,
    busy: () =>
      new AppError(
        "service_unavailable",
        "Too many thumbnails are being made. Try again soon.",
        {},
        { "Retry-After": "5" },
      ),
  }),
});

/**
 * Returns the thumbnail of a picture as WebP. The first request makes it and stores it beside the file. Throws a 400 about
 * `w` for a file that is not a readable picture, a 503 when too many are being made, and a 410 as `openContent`.
 */
export async function getThumbnail(hub: FilesHub, file: FileRow, width: ThumbnailWidth): Promise<Buffer> {
  if (!file.media_type.startsWith("image/") || file.size > MAX_SOURCE_BYTES) throw noThumbnail();
  const key = thumbnailKey(file.id, width);
  const stored = await hub.storage.open(key);
  const thumbnail = stored
    ? await buffer(stored)
    : await hub.services.thumbnails.run(key, (signal) => makeThumbnail(hub, file, width, signal));
  // Empty content records that the picture cannot be read, so that it is not decoded again.
  if (thumbnail.length === 0) throw noThumbnail();
  return thumbnail;
}

const noThumbnail = () =>
  invalidInput("w", "is only for PNG, JPEG, WebP, GIF and AVIF images of at most 50 MiB that can be decoded.");

async function makeThumbnail(
  hub: FilesHub,
  file: FileRow,
  width: ThumbnailWidth,
  signal: AbortSignal,
): Promise<Buffer> {
  const content = await buffer(await openContent(hub, file));
  const thumbnail = await shrinkPicture(content, Number(width), signal).catch((error: unknown) => {
    if (!(error instanceof UnreadablePicture)) throw error;
    if (error.isTransient) throw noThumbnail();
    return Buffer.alloc(0);
  });
  await storeThumbnail(hub, file.id, width, thumbnail).catch((error: unknown) => {
    // The thumbnail is returned without being stored, such as while the storage is full.
    hub.log.warn({ err: error, file: file.id }, "thumbnail not stored");
  });
  return thumbnail;
}

/**
 * Stores a thumbnail unless its file has been removed. The row is locked meanwhile: a concurrent removal waits, and then
 * removes the thumbnail as well.
 */
const storeThumbnail = (hub: FilesHub, id: string, width: ThumbnailWidth, thumbnail: Buffer): Promise<void> =>
  hub.db.transaction(async (tx) => {
    const [row] = await lockFile(tx, id, new Date(hub.now().getTime() + MIN_REMAINING_MS));
    if (row) await hub.storage.put(thumbnailKey(id, width), yieldOnce(thumbnail));
  });

const lockFile = statement({
  params: [uuid, timestamptz],
  row: { id: uuid },
  text: "SELECT id FROM file WHERE id = $1 AND removed_at IS NULL AND expires_at > $2 FOR SHARE",
});

/** Removes the content of a file and its thumbnails from the storage; succeeds when they do not exist. */
export async function removeContent({ storage }: FilesHub, id: string): Promise<void> {
  const keys = [id, ...thumbnailWidths.map((width) => thumbnailKey(id, width))];
  await Promise.all(keys.map((key) => storage.remove(key)));
}
