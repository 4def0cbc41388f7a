import type { Hub } from "../../context";
import type { FileRow } from "./file";

/** Returns the URL of a file. */
export const fileUrl = (hub: Hub, id: string): string => `${hub.env.BASE_URL}/api/v1/hub/files/${id}`;

/** Returns the public representation of a file (specification, section 2.3). */
export const serializeFile = (hub: Hub, file: FileRow) => ({
  id: file.id,
  url: fileUrl(hub, file.id),
  sha256: file.sha256.toString("hex"),
  size: Number(file.size),
  media_type: file.media_type,
  expires_at: file.expires_at.toISOString(),
});

/** Returns the public representation of a file in a list, with its origin. */
export const serializeListedFile = (hub: Hub, file: FileRow) => ({
  ...serializeFile(hub, file),
  kind: file.generation_id === null ? ("upload" as const) : ("output" as const),
  generation_id: file.generation_id,
  created_at: file.created_at.toISOString(),
});

/** An output, from its row or from the JSON aggregate of a generation query. */
export interface Output {
  id: string;
  index: number;
  media_type: string;
  size: number | bigint;
  expires_at: Date | string;
}

/** Returns the public representation of an output (specification, section 2.2). */
export const serializeOutput = (hub: Hub, output: Output) => ({
  index: output.index,
  media_type: output.media_type,
  url: fileUrl(hub, output.id),
  size: Number(output.size),
  expires_at: new Date(output.expires_at).toISOString(),
});
