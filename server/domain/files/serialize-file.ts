import type { Hub } from "../../context";
import type { FileRow } from "./file";

/** Where a file is fetched. */
export const fileUrl = (hub: Hub, id: string): string => `${hub.env.BASE_URL}/api/v1/hub/files/${id}`;

/** A File as the wire has it (specification, 2.3). */
export const serializeFile = (hub: Hub, file: FileRow) => ({
  id: file.id,
  url: fileUrl(hub, file.id),
  sha256: file.sha256.toString("hex"),
  size: Number(file.size),
  media_type: file.media_type,
  expires_at: file.expires_at.toISOString(),
});

/** A File in a listing, with where it comes from. */
export const serializeListedFile = (hub: Hub, file: FileRow) => ({
  ...serializeFile(hub, file),
  kind: file.generation_id === null ? ("upload" as const) : ("output" as const),
  generation_id: file.generation_id,
  created_at: file.created_at.toISOString(),
});

/** An output, from its row or from the JSON that the generation's statement makes of it. */
export interface Output {
  id: string;
  index: number;
  media_type: string;
  size: number | bigint;
  expires_at: Date | string;
}

/** An Output as the wire has it (specification, 2.2). */
export const serializeOutput = (hub: Hub, output: Output) => ({
  index: output.index,
  media_type: output.media_type,
  url: fileUrl(hub, output.id),
  size: Number(output.size),
  expires_at: new Date(output.expires_at).toISOString(),
});
