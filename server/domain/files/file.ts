/** A row of the table `file`. */
export interface FileRow {
  id: string;
  account_id: number;
  generation_id: string | null;
  index: number | null;
  media_type: string;
  size: bigint;
  sha256: Buffer;
  created_at: Date;
  expires_at: Date;
  removed_at: Date | null;
}

/** SQL for the columns of a FileRow from the table with the alias `f`. */
export const fileSql =
  "f.id, f.account_id, f.generation_id, f.index, f.media_type, f.size, f.sha256, f.created_at, f.expires_at, f.removed_at";
