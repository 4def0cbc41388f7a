import type { Db } from "../../server/db/client";

/** Describes a database by the lines of `parseSchema`, without what a Prisma schema cannot express. */
export async function readDatabase(db: Pick<Db, "query">): Promise<string[]> {
  const rows = await db.query<{ line: string }>(`${columnsSql} UNION ALL ${keysSql} UNION ALL ${referencesSql}`);
  return rows.map(({ line }) => line).sort();
}

const isOwnTable = (alias: string) =>
  `${alias}.relkind = 'r' AND ${alias}.relnamespace = 'public'::regnamespace AND ${alias}.relname <> '_prisma_migrations'`;

// Prisma's schema cannot say that a list may be null.
const columnsSql = `
  SELECT format('%s.%s %s%s%s', t.relname, c.attname, format_type(c.atttypid, c.atttypmod),
    CASE WHEN c.attnotnull OR c.attndims > 0 THEN ' not null' END,
    CASE
      WHEN c.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%' THEN ' default autoincrement()'
      ELSE ' default ' || regexp_replace(pg_get_expr(d.adbin, d.adrelid), '^''(.*)''::.*$', '\\1')
    END) AS line
  FROM pg_class t
  JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = c.attnum
  WHERE ${isOwnTable("t")}`;

const columnNames = (keys: string, table: string) =>
  `(SELECT string_agg(attname, ', ' ORDER BY place) FROM unnest(${keys}) WITH ORDINALITY AS key (number, place)
    JOIN pg_attribute ON attrelid = ${table} AND attnum = number)`;

// Leaves out partial indexes and those with expressions, included columns or another order, which only migrations express.
const keysSql = `
  SELECT format('%s %s (%s)', t.relname,
    CASE WHEN i.indisprimary THEN 'primary key' WHEN i.indisunique THEN 'unique' ELSE 'index' END,
    ${columnNames("i.indkey::smallint[]", "t.oid")})
  FROM pg_index i
  JOIN pg_class t ON t.oid = i.indrelid
  WHERE ${isOwnTable("t")} AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnatts = i.indnkeyatts
    AND NOT EXISTS (SELECT FROM unnest(i.indoption::smallint[]) AS option WHERE option <> 0)`;

const referencesSql = `
  SELECT format('%s (%s) references %s (%s)%s', t.relname, ${columnNames("r.conkey", "t.oid")},
    f.relname, ${columnNames("r.confkey", "f.oid")}, CASE r.confdeltype WHEN 'c' THEN ' on delete cascade' END)
  FROM pg_constraint r
  JOIN pg_class t ON t.oid = r.conrelid
  JOIN pg_class f ON f.oid = r.confrelid
  WHERE r.contype = 'f' AND ${isOwnTable("t")}`;
