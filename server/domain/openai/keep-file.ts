import type { Ctx } from "../../context";
import { invalidInput, isAppError } from "../../errors";
import { createPacer } from "../../lib/pace";
import { fileUrl, findByHash } from "../files";
import { acceptUpload } from "../inputs";
import type { OpenAiHub } from "./hub";

/** A file that was sent in a form. */
export interface SentFile {
  field: string;
  name: string;
  /** The content in pieces. */
  chunks: Uint8Array[];
  /** In hexadecimal. */
  sha256: string;
}

/**
 * Returns the URL of the account's file with this content, which is stored unless the account has it already. Throws 400 for
 * the field when the type of the content is not supported.
 */
export async function keepFile(ctx: Ctx<OpenAiHub>, { field, name, chunks, sha256 }: SentFile): Promise<string> {
  const known = await findByHash(ctx.hub, ctx.account.id, sha256).catch((error: unknown) => {
    if (isAppError(error) && (error.code === "resource_not_found" || error.code === "file_expired")) return null;
    throw error;
  });
  // A file that is about to expire may be gone before the job reads it.
  if (known && known.expires_at.getTime() - ctx.hub.now().getTime() > HOUR_MS) return fileUrl(ctx.hub, known.id);
  try {
    return fileUrl(ctx.hub, (await acceptUpload(ctx, yieldPaced(chunks), () => name)).id);
  } catch (error) {
    if (!isAppError(error) || error.code !== "invalid_input") throw error;
    throw invalidInput(field, error.message.replace(/^file: /, ""));
  }
}

const HOUR_MS = 3_600_000;

async function* yieldPaced(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  const pace = createPacer();
  for (const chunk of chunks) {
    yield chunk;
    await pace();
  }
}
