import type { Hub } from "@/server/domain/hub";
import type { Readable } from "node:stream";
import { makeZip, predictLength } from "client-zip";
import type { GenerationOutput } from "@/server/domain/generations/read";
import { getPageApi } from "@/server/hub";
import { nameOutput } from "./name-output";

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
    // The archive's own stream leaves the file open that it is reading.
    cancel: () => void current?.destroy(),
  });
  return { content, length: predictLength(outputs.map(describeEntry)) };
}
