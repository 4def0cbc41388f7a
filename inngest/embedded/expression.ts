type Scalar = string | number | boolean | null;
type Operand = { root: "event" | "async"; path: string[] } | { value: Scalar };

/** Equalities that must all hold, such as `event.data.id == async.data.id && async.data.state == 'done'`. */
export type Condition = [Operand, Operand][];

const TOKEN = /\s*(==|&&|'[^'\\]*'|"[^"\\]*"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)/y;
const WORDS: Record<string, Scalar> = { true: true, false: false, null: null };

/** Reads an expression; throws on whatever is more than equalities joined by `&&`. */
export function parseCondition(expression: string): Condition {
  const tokens = tokenize(expression);
  if (tokens.length === 0) throw unsupported(expression);
  const condition: Condition = [];
  for (let at = 0; at < tokens.length; at += 4) {
    const [left, equals, right, and] = tokens.slice(at, at + 4);
    const complete = left !== undefined && equals === "==" && right !== undefined;
    if (!complete || (and === undefined ? at + 3 !== tokens.length : and !== "&&" || at + 4 === tokens.length)) {
      throw unsupported(expression);
    }
    condition.push([operand(left, expression), operand(right, expression)]);
  }
  return condition;
}

/** Reads `event.data.x`; throws on anything else. */
export function parsePath(expression: string): string[] {
  const [token, ...rest] = tokenize(expression);
  const found = token !== undefined && rest.length === 0 ? operand(token, expression) : null;
  if (!found || !("root" in found) || found.root !== "event") throw unsupported(expression);
  return found.path;
}

/** The value at a path of an event; undefined when it is missing or no scalar. */
export function scalarAt(event: unknown, path: string[]): Scalar | undefined {
  let value = event;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return isScalar(value) ? value : undefined;
}

/** Whether all equalities hold. A missing value equals nothing. */
export function holds(condition: Condition, events: { event: unknown; async?: unknown }): boolean {
  const read = (side: Operand) => ("root" in side ? scalarAt(events[side.root], side.path) : side.value);
  return condition.every(([left, right]) => {
    const value = read(left);
    return value !== undefined && value === read(right);
  });
}

export const isScalar = (value: unknown): value is Scalar =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (expression.slice(TOKEN.lastIndex).trim() !== "") {
    const found = TOKEN.exec(expression);
    if (!found) throw unsupported(expression);
    tokens.push(found[1]!);
  }
  return tokens;
}

function operand(token: string, expression: string): Operand {
  if (/^['"]/.test(token)) return { value: token.slice(1, -1) };
  if (/^-?\d/.test(token)) return { value: Number(token) };
  if (Object.hasOwn(WORDS, token)) return { value: WORDS[token]! };
  const [root, ...path] = token.split(".");
  if ((root !== "event" && root !== "async") || path.length === 0) throw unsupported(expression);
  return { root, path };
}

const unsupported = (expression: string) =>
  new Error(`the embedded engine takes only equalities of event.… and async.… joined by &&, not \`${expression}\``);
