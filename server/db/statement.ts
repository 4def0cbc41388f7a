import type { Queryable } from "./client";
import type { ColumnType } from "./column-types";

type ValueOf<C> = C extends ColumnType<infer T> ? T : never;
type Columns = Record<string, ColumnType<unknown>>;

/** The rows of a statement with these columns. */
export type RowOf<R> = { [Name in keyof R]: ValueOf<R[Name]> };

/** Returns SQL for these columns of the table or CTE `alias`. */
export const columnList = (columns: Columns, alias: string): string =>
  Object.keys(columns)
    .map((name) => `${alias}.${name}`)
    .join(", ");

/** A statement as declared: the types of `$1`, `$2` and so on, and the columns that it returns. */
export interface Declaration {
  params: readonly ColumnType<unknown>[];
  row: Columns;
  text: string;
  /** Whether it reads whole tables or months of rows, which may take minutes. */
  isLong?: boolean;
}

/** Every statement of the modules that were imported; a test compares each with what Postgres says of its text. */
export const declarations: Declaration[] = [];

/**
 * Declares a statement. Returns the function that runs it, with the types of its declaration: on a connection or pool,
 * with a value for each parameter. It adds nothing to the cost of `query`.
 */
export function statement<const P extends readonly ColumnType<unknown>[], R extends Columns>(declaration: {
  params: P;
  row: R;
  text: string;
  isLong?: boolean;
}): (db: Queryable, ...values: { [Index in keyof P]: ValueOf<P[Index]> }) => Promise<RowOf<R>[]> {
  declarations.push(declaration);
  const { text, isLong } = declaration;
  const options = { isLong };
  return (db, ...values) => db.query<RowOf<R>>(text, values as unknown[], options);
}

/** Adds a parameter to a statement and returns its placeholder. */
export type Bind = <T>(type: ColumnType<T>, value: T) => string;

/**
 * Declares a statement whose text depends on its input. `compose` returns the text and binds its parameters; `forms`
 * has one input for each text that it can return. Returns the function that runs it.
 */
export function composedStatement<I, R extends Columns>({
  row,
  forms,
  compose,
}: {
  row: R;
  forms: I[];
  compose: (input: I, bind: Bind) => string;
}): (db: Queryable, input: I) => Promise<RowOf<R>[]> {
  const build = (input: I) => {
    const params: ColumnType<unknown>[] = [];
    const values: unknown[] = [];
    const text = compose(input, (type, value) => {
      params.push(type);
      return `$${values.push(value)}`;
    });
    return { params, row, text, values };
  };
  declarations.push(...forms.map(build));
  return (db, input) => {
    const { text, values } = build(input);
    return db.query<RowOf<R>>(text, values);
  };
}

/** Returns every combination of these values, as the forms of a composed statement. */
export function combine<I>(values: { [Name in keyof Required<I>]: I[Name][] }): I[] {
  const extend = (partial: object[], [name, options]: [string, unknown[]]) =>
    partial.flatMap((input) => options.map((option) => ({ ...input, [name]: option })));
  return Object.entries<unknown[]>(values).reduce(extend, [{}]) as I[];
}
