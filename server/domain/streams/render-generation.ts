import { type ReadHub, serializeGeneration } from "../generations/read";
import { encodeEvent } from "./event-sink";
import type { StreamedGeneration } from "./read-generations";

/** Returns the event of a generation: its record, and its place in the provider's queue while it has one. */
export function renderGeneration(hub: ReadHub, generation: StreamedGeneration): Uint8Array {
  const { queue_position } = generation;
  const record = serializeGeneration(hub, generation);
  return encodeEvent("generation", JSON.stringify(queue_position === null ? record : { ...record, queue_position }));
}
