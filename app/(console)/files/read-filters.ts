import type { FileKind, fileTypes } from "@/server/domain/files";
import { type ReadSearch, readTextParam } from "../../ui/search";

export const sources = [
  { value: "all", label: "All" },
  { value: "upload", label: "Uploads" },
  { value: "output", label: "Outputs" },
] as const satisfies { value: FileKind | "all"; label: string }[];

export const types = [
  { value: "image", label: "Images" },
  { value: "video", label: "Videos" },
  { value: "audio", label: "Audio" },
  { value: "other", label: "Other" },
] as const satisfies { value: (typeof fileTypes)[number]; label: string }[];

/** Returns the filters of the URL without invalid values. */
export function readFilters(read: ReadSearch): { kind?: FileKind; type?: (typeof fileTypes)[number]; q?: string } {
  const kind = sources.find(({ value }) => value === read("source"))?.value;
  return {
    kind: kind === "all" ? undefined : kind,
    type: types.find(({ value }) => value === read("type"))?.value,
    q: readTextParam(read, "q"),
  };
}
