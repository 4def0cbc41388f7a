import type { Model } from "../../catalogue/model";
import { type Attachment, decodeHead, isPdf, type Medium, unsupportedMedium } from "../attachments";

const forms: Record<Medium, string> = {
  image: "must be an http(s) or data: URL, sha256: and 64 hexadecimal digits, or have the file_id of one of your files",
  file:
    "must have one of file_data (base64, or a data: URL of base64), file_url (an http(s) URL, or sha256: and 64 " +
    "hexadecimal digits) and file_id (the id of one of your files)",
  audio:
    "must have one of data (base64, an http(s) URL, or sha256: and 64 hexadecimal digits) and file_id (the id of one of " +
    "your files)",
};

/** Returns what is wrong with an attachment, judged by its part without its content; null if nothing is. */
export function findAttachmentIssue(model: Model, { medium, source, part }: Attachment): string | null {
  // A file may be text, which every model reads, unless its bytes show a PDF.
  const isKnown = medium !== "file" || (source?.by === "data" && isPdf(decodeHead(source)));
  const unsupported = isKnown ? unsupportedMedium(model, medium) : null;
  if (unsupported !== null) return unsupported;
  if (source === null) return forms[medium];
  if (medium !== "audio" || source.by !== "data") return null;
  const { format } = part.input_audio as { format?: unknown };
  return typeof format === "string" ? null : "must have a format, such as wav or mp3";
}
