import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { FileRow } from "../files";
import { onFileStored } from "../generations/queue";
import { fetchOutside } from "../input-files";
import { completeDirectUpload, storeUpload } from "../uploads";
import type { InputsHub } from "./hub";

/** Stores an upload and queues the generations that waited for its content. Throws the errors of `storeUpload`. */
export async function acceptUpload(
  ctx: Ctx<InputsHub>,
  content: AsyncIterable<Uint8Array>,
  readName?: () => string,
): Promise<FileRow> {
  return queueWaiting(ctx, await storeUpload(ctx, content, readName));
}

/**
 * Completes a direct upload and queues the generations that waited for its content. Throws the errors of
 * `completeDirectUpload`.
 */
export async function acceptDirectUpload(ctx: Ctx<InputsHub>, id: string): Promise<FileRow> {
  return queueWaiting(ctx, await completeDirectUpload(ctx, id));
}

async function queueWaiting({ hub, account }: Ctx<InputsHub>, file: FileRow): Promise<FileRow> {
  await onFileStored(hub, account.id, file.sha256);
  return file;
}

const FETCH_TIMEOUT_MS = 45_000;

/**
 * Fetches an external URL and stores its content as an upload, with the limits and types of uploads. Throws 400 for `url`
 * when it cannot be fetched, and the errors of `acceptUpload`.
 */
export async function uploadFromUrl(ctx: Ctx<InputsHub>, url: string, readName: () => string): Promise<FileRow> {
  let file: FileRow | undefined;
  const store = async (content: AsyncIterable<Uint8Array>) => {
    file = await acceptUpload(ctx, content, readName);
  };
  const request = { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: ctx.hub.env.UPLOAD_MAX_BYTES, store };
  await fetchOutside(ctx.hub, url, request).catch((error: unknown) => {
    if (error instanceof InputUnavailable) throw invalidInput("url", `cannot be used: ${error.message}`);
    throw error;
  });
  return file!;
}
