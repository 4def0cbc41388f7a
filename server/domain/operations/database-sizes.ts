import { int8, json, notNull, nullable, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { OperationsHub } from "./hub";

/** A table with its partitions. Sizes in bytes. */
export interface TableSize {
  /** With its schema, unless that is `public`. */
  name: string;
  /** As Postgres last counted or estimated them; null if it has not yet. */
  rows: number | null;
  /** Rows that were deleted or replaced and whose space is not free yet. */
  dead_rows: number;
  /** The rows, including long values that are stored separately. */
  table_bytes: number;
  index_bytes: number;
  indexes: IndexSize[];
}

/** An index with its partitions. */
interface IndexSize {
  name: string;
  bytes: number;
}

/** Returns the size of the database and of its tables and indexes, largest first. */
export async function measureDatabase(hub: OperationsHub): Promise<{ bytes: number; tables: TableSize[] }> {
  const [[database], tables] = await Promise.all([selectDatabaseSize(hub.db), selectTableSizes(hub.db)]);
  return {
    bytes: Number(database!.bytes),
    tables: tables.map(({ name, rows, dead_rows, table_bytes, index_bytes, indexes }) => ({
      name,
      rows: rows === null ? null : Number(rows),
      dead_rows: Number(dead_rows),
      table_bytes: Number(table_bytes),
      index_bytes: Number(index_bytes),
      indexes: indexes ?? [],
    })),
  };
}

const selectDatabaseSize = statement({
  params: [],
  row: { bytes: notNull(int8) },
  text: "SELECT pg_database_size(current_database()) AS bytes",
});

// A partition counts as a part of its table. `reltuples` is -1 until a table is vacuumed or analyzed, which a table without
// rows never is.
const selectTableSizes = statement({
  params: [],
  row: {
    name: notNull(text),
    rows: nullable(int8),
    dead_rows: notNull(int8),
    table_bytes: notNull(int8),
    index_bytes: notNull(int8),
    indexes: nullable(json<IndexSize[]>()),
  },
  text: `
    WITH part AS (
      SELECT c.oid, coalesce(pg_partition_root(c.oid), c.oid) AS root, c.reltuples
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname IN ('public', 'engine')
    ),
    index_size AS (
      SELECT part.root, coalesce(pg_partition_root(i.indexrelid), i.indexrelid) AS root_index,
             sum(pg_relation_size(i.indexrelid))::bigint AS bytes
      FROM part JOIN pg_index i ON i.indrelid = part.oid GROUP BY 1, 2
    )
    SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || t.relname AS name,
           sum(part.reltuples) FILTER (WHERE part.reltuples >= 0)::bigint AS rows,
           coalesce(sum(s.n_dead_tup), 0)::bigint AS dead_rows,
           sum(pg_table_size(part.oid))::bigint AS table_bytes, sum(pg_indexes_size(part.oid))::bigint AS index_bytes,
           (SELECT json_agg(json_build_object('name', x.relname, 'bytes', i.bytes) ORDER BY i.bytes DESC, x.relname)
            FROM index_size i JOIN pg_class x ON x.oid = i.root_index WHERE i.root = t.oid) AS indexes
    FROM part JOIN pg_class t ON t.oid = part.root JOIN pg_namespace n ON n.oid = t.relnamespace
    LEFT JOIN pg_stat_all_tables s ON s.relid = part.oid
    GROUP BY t.oid, t.relname, n.nspname
    ORDER BY sum(pg_total_relation_size(part.oid)) DESC, name`,
});
