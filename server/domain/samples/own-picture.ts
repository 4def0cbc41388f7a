import { buffer } from "node:stream/consumers";
import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { type FilesHub, findFile, openContent } from "../files";

const MAX_BYTES = 50n * 1024n ** 2n;

/**
 * Returns the content of a picture of the account. Throws a 404 for another account's file, a 410 for one that has expired,
 * and a 400 for one that is not a picture or is above 50 MiB.
 */
export async function readOwnPicture(ctx: Ctx<FilesHub>, id: string): Promise<Buffer> {
  const file = await findFile(ctx, id);
  if (!file.media_type.startsWith("image/") || file.size > MAX_BYTES)
    throw invalidInput("file", "must be an image of at most 50 MiB");
  return buffer(await openContent(ctx.hub, file));
}
