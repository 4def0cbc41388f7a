import type { Ctx } from "../../context";
import { invalidInput, isAppError } from "../../errors";
import { createHash } from "node:crypto";
import { fileUrl } from "../files/file";
import { findByHash } from "../files/find-file";
import { acceptUpload } from "../inputs/accept-upload";

/** A file of a form. */
export interface SentFile {
  field: string;
  name: string;
  content: Buffer;
}

/**
 * Returns the URL of the account's file with this content, which is stored unless the account has it. Throws 400 for the
 * field when the content has no supported type.
 */
export async function keepFile(ctx: Ctx, { field, name, content }: SentFile): Promise<string> {
  const hash = createHash("sha256").update(content).digest("hex");
  const known = await findByHash(ctx.hub, ctx.account.id, hash).catch((error: unknown) => {
    if (isAppError(error) && (error.code === "resource_not_found" || error.code === "file_expired")) return null;
    throw error;
  });
  // A file that is about to expire may be gone before the job reads it.
  const isLasting = known && known.expires_at.getTime() - ctx.hub.now().getTime() > HOUR_MS;
  if (isLasting) return fileUrl(ctx.hub, known.id);
  try {
    return fileUrl(ctx.hub, (await acceptUpload(ctx, yieldOnce(content), () => name)).id);
  } catch (error) {
    if (!isAppError(error) || error.code !== "invalid_input") throw error;
    throw invalidInput(field, error.message.replace(/^file: /, ""));
  }
}

const HOUR_MS = 3_600_000;

async function* yieldOnce(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
