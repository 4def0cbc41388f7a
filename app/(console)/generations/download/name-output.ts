import type { GenerationOutput } from "@/server/domain/generations/read";

type Named = Pick<GenerationOutput, "generation_id" | "index" | "media_type" | "prompt">;

const extensions: Record<string, string> = { jpeg: "jpg", mpeg: "mp3", plain: "txt", "svg+xml": "svg" };

/** Returns the name of an output in an archive: "a-red-fox-019aa5356c00-1.png", without two of one name. */
export function nameOutput({ generation_id, index, media_type, prompt }: Named): string {
  const words =
    (prompt ?? "")
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const subtype = media_type.split("/")[1] ?? "";
  const extension = extensions[subtype] ?? (/^[a-z0-9]{1,12}$/.test(subtype) ? subtype : "bin");
  return `${[...words, generation_id, index + 1].join("-")}.${extension}`;
}
