import type { Hub } from "@/server/domain/hub";
import type { GenerationOutput } from "@/server/domain/generations/read";
import { getPageApi } from "@/server/hub";
import { makeZip, predictLength } from "client-zip";
import type { Readable } from "node:stream";

const describeEntry = (output: GenerationOutput) => ({
  name: nameOutput(output),
  lastModified: output.created_at,
  size: output.size,
});

/**
 * Returns outputs as a ZIP archive and its length in bytes. Files are not compressed again, opened one after the other
 * and read as fast as the client reads. Fails if a file is removed meanwhile.
 */
export function zipOutputs(hub: Hub, outputs: GenerationOutput[]) {
  let current: Readable | undefined;
  async function* openEach() {
    const { openContent } = await getPageApi();
    for (const output of outputs) {
      current = await openContent(hub, output);
      yield { ...describeEntry(output), input: current as AsyncIterable<Uint8Array<ArrayBuffer>> };
    }
  }
  const reader = makeZip(openEach()).getReader();
  const content = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // Canceling the archive does not close the file that it is reading.
    cancel: () => void current?.destroy(),
  });
  return { content, length: predictLength(outputs.map(describeEntry)) };
}

type Named = Pick<GenerationOutput, "generation_id" | "index" | "media_type" | "prompt">;

const extensions: Record<string, string> = { jpeg: "jpg", mpeg: "mp3", plain: "txt", "svg+xml": "svg" };

/** Returns a unique name of an output in an archive: "a-red-fox-019aa5356c00-1.png". */
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
