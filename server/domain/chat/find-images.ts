import type { Ctx } from "../../context";
import { AppError, invalidInput, isAppError } from "../../errors";
import type { FileRow } from "../files/file";
import { findByHash } from "../files/find-by-hash";
import { findFile } from "../files/find-file";
import { parseSha256Ref } from "../files/parse-sha256-ref";
import { parseOwnFileUrl } from "../files/parse-own-file-url";
import { checkOutsideImages } from "./check-outside-images";
import { type ImagePart, findImageParts } from "../models/image-parts";

const MAX_FILES = 100;
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Returns the account's own files among a chat's images, by the URL that the chat uses. Throws 410 `file_expired` for
 * an expired file, and 400 for an unknown file, a file that is not an image, too many or too large files, and an
 * external image URL that is not public.
 */
export async function findImages(ctx: Ctx, messages: unknown): Promise<Map<string, FileRow>> {
  const own = new Map<string, ImagePart>();
  const external: ImagePart[] = [];
  for (const image of findImageParts(messages)) {
    if (parseSha256Ref(image.url) !== null || parseOwnFileUrl(ctx.hub, image.url) !== null) own.set(image.url, image);
    else if (/^https?:/i.test(image.url)) external.push(image);
  }
  if (own.size > MAX_FILES) throw invalidInput("messages", `may name at most ${MAX_FILES} files`);
  const files = await Promise.all([...own].map(async ([url, image]) => [url, await findImage(ctx, image)] as const));
  const bytes = files.reduce((sum, [, { size }]) => sum + Number(size), 0);
  if (bytes > MAX_BYTES) throw invalidInput("messages", `may name files of at most ${MAX_BYTES} bytes in total`);
  await checkOutsideImages(ctx.hub, external);
  return new Map(files);
}

async function findImage(ctx: Ctx, { path, url }: ImagePart): Promise<FileRow> {
  try {
    const hash = parseSha256Ref(url);
    const file = hash
      ? await findByHash(ctx.hub, ctx.account.id, hash)
      : await findFile(ctx, parseOwnFileUrl(ctx.hub, url)!);
    if (!file.media_type.startsWith("image/")) throw invalidInput(path, `is ${file.media_type}, not an image`);
    return file;
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === "file_expired") throw new AppError("file_expired", `${path}: the file has expired.`);
    throw error.code === "resource_not_found" ? invalidInput(path, "names no file of this account") : error;
  }
}
