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
export interface Declaration extends Options {
  params: readonly ColumnType<unknown>[];
  row: Columns;
  text: string;
  /** The text as written, with names in place of numbers. */
  namedText?: string;
}

interface Options {
  /** It reads whole tables or months of them, which may take minutes. */
  isLong?: boolean;
  /** The path of a file that shows the whole text, because several modules write it; a test compares the two. */
  shownIn?: string;
}

/** Every statement of the modules that were imported; a test compares each with what Postgres says of its text. */
export const declarations: Declaration[] = [];

/**
 * Declares a statement. Returns the function that runs it, with the types of its declaration: on a connection or pool,
 * with an object of values if the text has named parameters (`:now`), else with a value for each of `$1`, `$2` and so on.
 */
export function statement<const P extends readonly ColumnType<unknown>[], R extends Columns>(
  declaration: Options & { params: P; row: R; text: string },
): (db: Queryable, ...values: { [Index in keyof P]: ValueOf<P[Index]> }) => Promise<RowOf<R>[]>;
export function statement<P extends Columns, R extends Columns>(
  declaration: Options & { params: P; row: R; text: string },
): (db: Queryable, values: RowOf<P>) => Promise<RowOf<R>[]>;
export function statement(
  declaration: Options & { params: readonly ColumnType<unknown>[] | Columns; row: Columns; text: string },
): (db: Queryable, ...values: never[]) => Promise<object[]> {
  const { params, isLong } = declaration;
  const options = { isLong };
  if (isNumbered(params)) {
    const { text } = declaration;
    declarations.push({ ...declaration, params });
    return (db, ...values) => db.query(text, values, options);
  }
  const names = Object.keys(params);
  const text = numberParameters(declaration.text, names);
  declarations.push({ ...declaration, params: Object.values(params), text, namedText: declaration.text });
  return (db, values: Record<string, unknown>) => db.query(text, names.map((name) => values[name]), options); // prettier-ignore
}

const isNumbered = (params: readonly ColumnType<unknown>[] | Columns): params is readonly ColumnType<unknown>[] =>
  Array.isArray(params);

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

// Tokens in which a colon does not begin a parameter: texts, quoted names, comments, dollar quotes and casts. `:=` and
// the bounds of an array slice are not names. The last alternative is a parameter.
const TOKENS =
  /[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|(\$\w*\$)[^]*?\1|::|:([a-z_]\w*)/g;

/**
 * Returns a statement's text with `$1`, `$2` and so on in place of `:name`, numbered in the order of `names`. Throws for a
 * name that is not among them, one that the text does not use, and a parameter that has a number already.
 */
export function numberParameters(text: string, names: readonly string[]): string {
  const unused = new Set(names);
  const numbered = text.replace(TOKENS, (token: string, _quote: string | undefined, name: string | undefined) => {
    if (name === undefined) return token;
    const index = names.indexOf(name);
    if (index === -1) throw new Error(`the parameter :${name} is not declared in: ${text}`);
    unused.delete(name);
    return `$${index + 1}`;
  });
  if (unused.size > 0)
    throw new Error(`the parameters ${[...unused].join(", ")} are declared but not used in: ${text}`);
  const number = findNumbered(text);
  if (number) throw new Error(`${number} has no name in: ${text}`);
  return numbered;
}

const NUMBERED = new RegExp(`${TOKENS.source}|(\\$\\d+)`, "g");
const findNumbered = (text: string) => [...text.matchAll(NUMBERED)].find((match) => match[3])?.[3];
