import type { Ctx } from "../../context";
import { onFileStored } from "../generations/queue";
import { completeDirectUpload, storeUpload } from "../uploads";
import type { FileRow } from "../files";
import type { InputsHub } from "./hub";

/** Stores an upload and queues the generations that waited for its content. Throws the errors of `storeUpload`. */
export async function acceptUpload(
  ctx: Ctx<InputsHub>,
  content: AsyncIterable<Uint8Array>,
  readName?: () => string,
): Promise<FileRow> {
  const file = await storeUpload(ctx, content, readName);
  await onFileStored(ctx.hub, ctx.account.id, file.sha256);
  return file;
}

/** Completes a direct upload and queues the generations that waited for its content. Throws the errors of `completeDirectUpload`. */
export async function acceptDirectUpload(ctx: Ctx<InputsHub>, id: string): Promise<FileRow> {
  const file = await completeDirectUpload(ctx, id);
  await onFileStored(ctx.hub, ctx.account.id, file.sha256);
  return file;
}
