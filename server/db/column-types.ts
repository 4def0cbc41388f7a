/** A type of Postgres, with the TypeScript type `T` in which its values are sent and arrive. */
export interface ColumnType<T> {
  /** Its name in Postgres; that of an array ends with `[]`. */
  sql: string;
  /** Whether its values can be null; `excluded` where the column can, and the statement or a constraint rules it out. */
  nulls: "never" | "allowed" | "excluded";
  /** Never set: it carries `T`. */
  value?: T;
}

const defineType = <T>(sql: string): ColumnType<T> => ({ sql, nulls: "never" });

export const bool = defineType<boolean>("boolean");
export const int4 = defineType<number>("integer");
export const int8 = defineType<bigint>("bigint");
export const float4 = defineType<number>("real");
export const float8 = defineType<number>("double precision");
export const uuid = defineType<string>("uuid");
export const text = defineType<string>("text");
export const bytea = defineType<Buffer>("bytea");
export const timestamptz = defineType<Date>("timestamp with time zone");

/** A `text` parameter, which may be sent as UTF-8. */
export const textOrBytes = defineType<string | Uint8Array>("text");

/** A `bigint` on the connection of the job engine, where it arrives as text. */
export const int8Text = defineType<string>("bigint");

export const oid = defineType<number>("oid");
export const pgLsn = defineType<string>("pg_lsn");

/** The result of a function that returns nothing, which arrives as an empty text. */
export const voidResult = defineType<string>("void");

/** Returns the type of a text column that has only the values of `T`. */
export const textOf = <T extends string>(): ColumnType<T> => defineType("text");

/** Returns the type of a `json` column, which arrives parsed. */
export const json = <T>(): ColumnType<T> => defineType("json");

/** Returns the type of a `jsonb` column, which arrives parsed. */
export const jsonb = <T>(): ColumnType<T> => defineType("jsonb");

/** A `bigint` parameter that is a safe integer, such as a LIMIT; a column of this type arrives as bigint. */
export const int8Number = defineType<number>("bigint");

/** A `json` parameter, sent as the text that `JSON.stringify` returns. */
export const jsonText = defineType<string>("json");

/** A `jsonb` parameter, likewise. */
export const jsonbText = defineType<string>("jsonb");

/** Returns the type of an array without nulls. */
export const array = <T>({ sql }: ColumnType<T>): ColumnType<T[]> => defineType(`${sql}[]`);

/** Returns the same type with null. */
export const nullable = <T>({ sql }: ColumnType<T>): ColumnType<T | null> => ({ sql, nulls: "allowed" });

/** Returns the type of a column that can be null, but not in the rows of this statement. */
export const notNull = <T>({ sql }: ColumnType<T>): ColumnType<T> => ({ sql, nulls: "excluded" });
