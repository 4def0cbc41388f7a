import type { HubParts } from "../../context";
import { listLogLines } from "../generations/live";
import type { Cursor } from "./cursor";
import { encodeEvent } from "./event-sink";
import type { StreamedGeneration } from "./read-generations";

/** A line of a log as the event that shows it. */
export interface RenderedLine {
  n: bigint;
  event: Uint8Array;
}

/**
 * Returns, by generation, the log lines that at least one of its readers has not received. Reads nothing if there are none.
 */
export async function readLines(
  hub: Pick<HubParts, "db">,
  rows: StreamedGeneration[],
  cursorsOf: (id: string) => Cursor[],
): Promise<Map<string, RenderedLine[]>> {
  const wanted = rows.flatMap(({ id, line_n }) => {
    const read = cursorsOf(id).map(({ line }) => line);
    const after = read.reduce((least, line) => (line < least ? line : least), read[0] ?? 0n);
    return read.length > 0 && line_n !== null && after < line_n ? [{ id, after }] : [];
  });
  const lines = new Map<string, RenderedLine[]>(wanted.map(({ id }) => [id, []]));
  if (wanted.length === 0) return lines;
  for (const { generation_id, n, at, line } of await listLogLines(hub, wanted))
    lines.get(generation_id)!.push({ n, event: encodeEvent("log", JSON.stringify({ at: at.toISOString(), line })) });
  return lines;
}
