import { previewUrl } from "../generations/live";
import { type ReadHub, serializeGeneration } from "../generations/read";
import { encodeEvent } from "./event-sink";
import type { StreamedGeneration } from "./read-generations";

/**
 * Returns the event of a generation: its record and, while they exist, its place in the provider's queue, its stored
 * outputs and its preview.
 */
export function renderGeneration(hub: ReadHub, generation: StreamedGeneration): Uint8Array {
  const { id, queue_position, preview_n, stored_outputs } = generation;
  const data = {
    ...serializeGeneration(hub, generation),
    ...(queue_position !== null && { queue_position }),
    ...(stored_outputs.length > 0 && { stored_outputs }),
    ...(preview_n !== null && { preview: { url: previewUrl(hub, id, preview_n) } }),
  };
  return encodeEvent("generation", JSON.stringify(data));
}
