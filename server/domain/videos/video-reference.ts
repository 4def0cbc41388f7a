import { createHash } from "node:crypto";
import type { Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { isId } from "../../lib/id";
import { fileUrl } from "../files";
import { keepFile, type OpenAiHub, type SentFile } from "../openai";

const FIELD = "input_reference";

/** The picture from which a video starts, as it was sent. */
export type VideoReference = SentFile | { file_id?: unknown; image_url?: unknown };

/**
 * Returns the URL of the picture from which a video starts. A picture in a form or a data URL becomes a file of the
 * account. Throws 400 for a malformed reference.
 */
export async function findReferenceUrl(ctx: Ctx<OpenAiHub>, reference: VideoReference): Promise<string> {
  if ("chunks" in reference) return keepFile(ctx, reference);
  const { file_id: id, image_url: url } = reference;
  if ((id === undefined) === (url === undefined))
    throw invalidInput(FIELD, "must be a file, or have one of file_id and image_url");
  if (id !== undefined) {
    if (typeof id === "string" && isId(id)) return fileUrl(ctx.hub, id);
    throw invalidInput(`${FIELD}.file_id`, "must be the id of a file of this hub");
  }
  if (typeof url !== "string") throw invalidInput(`${FIELD}.image_url`, "must be a string");
  return url.startsWith("data:") ? keepFile(ctx, parseDataUrl(url)) : url;
}

const DATA_URL = /^data:[\w.+-]{1,50}\/[\w.+-]{1,100};base64$/;
const MAX_HEAD_LENGTH = 200;

function parseDataUrl(url: string): SentFile {
  const comma = url.slice(0, MAX_HEAD_LENGTH).indexOf(",");
  if (comma === -1 || !DATA_URL.test(url.slice(0, comma)))
    throw invalidInput(`${FIELD}.image_url`, "must be a URL, or a data URL such as data:image/png;base64,…");
  const content = Buffer.from(url.slice(comma + 1), "base64");
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { field: `${FIELD}.image_url`, name: "", chunks: [content], sha256 };
}
