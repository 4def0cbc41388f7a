import { fileExtension } from "../content";
import type { FileRow } from "../files";

// Characters that Windows does not allow in names.
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}]/gu;

/** Returns the unique path of a file in an archive. */
export function nameFile({ id, generation_id, index, media_type, name }: FileRow): string {
  if (generation_id !== null) return `outputs/${generation_id}/${index! + 1}-${id}.${fileExtension(media_type)}`;
  // Windows does not allow a name to end with a dot or a space either.
  const clean = (name ?? `file.${fileExtension(media_type)}`).replace(FORBIDDEN, "_").replace(/[. ]+$/, "");
  return `uploads/${id}-${clean || "file"}`;
}
