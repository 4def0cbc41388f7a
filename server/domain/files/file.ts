import { bytea, int4, int8, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf } from "../../db/statement";
import type { Mark } from "../marks";
import type { FilesHub } from "./hub";

export const fileColumns = {
  id: uuid,
  account_id: int4,
  generation_id: nullable(uuid),
  index: nullable(int4),
  media_type: text,
  name: nullable(text),
  size: int8,
  sha256: notNull(bytea),
  created_at: timestamptz,
  expires_at: timestamptz,
  removed_at: nullable(timestamptz),
  /** What is known of an output's mark. */
  mark: nullable(textOf<Mark>()),
};

/** A row of the table `file` whose content is stored. */
export type FileRow = RowOf<typeof fileColumns>;

/** SQL for the columns of a FileRow from the table with the alias `f`. */
export const fileSql = columnList(fileColumns, "f");

/** Returns SQL for whether the file of the table with this alias has content: it is stored, and not yet removed. */
export const hasContentSql = (file: string): string => `${file}.stored_at IS NOT NULL AND ${file}.removed_at IS NULL`;

/** Returns SQL for whether a key uploaded or generated the file `f`; true for a key of null. */
export const isFileOfKeySql = (key: string): string =>
  `(${key}::uuid IS NULL OR f.key_id = ${key} OR ${key} = (SELECT key_id FROM generation WHERE id = f.generation_id))`;

/** Returns the URL of a file. */
export const fileUrl = (hub: Pick<FilesHub, "env">, id: string): string => `${hub.env.BASE_URL}/api/v1/hub/files/${id}`;

/** Returns the public representation of a file (specification, section 2.3). */
export const serializeFile = (hub: FilesHub, file: FileRow) => ({
  id: file.id,
  name: file.name,
  url: fileUrl(hub, file.id),
  sha256: file.sha256.toString("hex"),
  size: Number(file.size),
  media_type: file.media_type,
  expires_at: file.expires_at.toISOString(),
});

/** Returns the public representation of a file in a list, with its origin. */
export const serializeListedFile = (hub: FilesHub, file: FileRow) => ({
  ...serializeFile(hub, file),
  kind: file.generation_id === null ? ("upload" as const) : ("output" as const),
  generation_id: file.generation_id,
  mark: file.mark,
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
export const serializeOutput = (hub: FilesHub, output: Output) => ({
  index: output.index,
  media_type: output.media_type,
  url: fileUrl(hub, output.id),
  size: Number(output.size),
  expires_at: new Date(output.expires_at).toISOString(),
});
