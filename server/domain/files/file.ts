import { bytea, int4, int8, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf } from "../../db/statement";

export const fileColumns = {
  id: uuid,
  account_id: int4,
  generation_id: nullable(uuid),
  index: nullable(int4),
  media_type: text,
  size: int8,
  sha256: notNull(bytea),
  created_at: timestamptz,
  expires_at: timestamptz,
  removed_at: nullable(timestamptz),
};

/** A row of the table `file` whose content is stored. */
export type FileRow = RowOf<typeof fileColumns>;

/** SQL for the columns of a FileRow from the table with the alias `f`. */
export const fileSql = columnList(fileColumns, "f");
