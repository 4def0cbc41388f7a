import { z } from "zod";
import type { Ctx } from "../../../context";
import { type FileRow, serializeFile } from "../../../domain/files";
import type { Hub } from "../../../domain/hub";
import { acceptUpload, uploadFromUrl } from "../../../domain/inputs";
import { AppError, invalidInput } from "../../../errors";
import { yieldOnce } from "../../../lib/yield-once";
import { defineTool } from "../tool";

const MAX_BYTES = 1024 * 1024;
const DATA_URL = /^data:[^,]{0,200};base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export const uploadFileTool = defineTool({
  name: "upload_file",
  title: "Upload a file",
  description:
    "Stores a file for use as an input of generate: from a public https URL, or from base64 of up to 1 MiB. Returns " +
    "`reference`, which is the value of a file parameter. Upload larger local files by POST /api/v1/hub/files.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  cost: "write",
  input: z.object({
    url: z.url().max(2048).optional().describe("A public http or https URL; give this or base64"),
    base64: z.string().optional().describe("The content in base64, at most 1 MiB"),
    name: z.string().max(200).optional().describe("A file name to show"),
  }),
  output: z.object({
    reference: z.string().describe("Use this as a file parameter of generate"),
    id: z.string(),
    url: z.string(),
    name: z.string().nullable(),
    media_type: z.string(),
    size: z.number(),
    expires_at: z.string(),
  }),
  async handler({ ctx }, request) {
    const { sha256, id, url, name, media_type, size, expires_at } = serializeFile(ctx.hub, await store(ctx, request));
    return { output: { reference: `sha256:${sha256}`, id, url, name, media_type, size, expires_at } };
  },
});

interface Upload {
  url?: string;
  base64?: string;
  name?: string;
}

function store(ctx: Ctx<Hub>, { url, base64, name }: Upload): Promise<FileRow> {
  if ((url === undefined) === (base64 === undefined)) throw invalidInput("url", "or base64 must be given, not both");
  if (url !== undefined) return uploadFromUrl(ctx, url, () => name ?? nameOf(url));
  return acceptUpload(ctx, yieldOnce(decode(base64!)), name === undefined ? undefined : () => name);
}

const nameOf = (url: string) => new URL(url).pathname.split("/").pop() ?? "";

/** Returns the content. Throws 413, and 400 for invalid base64, which Node would decode without an error. */
function decode(base64: string): Buffer {
  const text = base64.replace(DATA_URL, "");
  if (Buffer.byteLength(text, "base64") > MAX_BYTES)
    throw new AppError(
      "payload_too_large",
      "base64 may hold at most 1 MiB. Upload the file by POST /api/v1/hub/files.",
    );
  if (!BASE64.test(text) || text.length % 4 === 1) throw invalidInput("base64", "must be base64, without line breaks");
  return Buffer.from(text, "base64");
}
