import type { Outputs } from "../../trpc/outputs";
import type { Formats } from "../../ui/formats";

/** A file of the list. */
export type ListedFile = Outputs["files"]["list"]["data"][number];

/** Returns a file's label: its name, else its type and size. */
export const describeFile = (
  { name, media_type, size }: Pick<ListedFile, "name" | "media_type" | "size">,
  { bytes }: Formats,
): string => name ?? `${media_type}, ${bytes(size)}`;

/** Returns in a few words how an output is marked as AI-generated, if it is. */
export function describeMark(mark: NonNullable<ListedFile["mark"]>): string {
  if (mark === "xmp") return "marked as AI-generated";
  return mark === "maker_c2pa" ? "has its maker’s C2PA manifest" : "not marked";
}
