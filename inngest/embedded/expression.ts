type Scalar = string | number | boolean | null;
type Operand = { root: "event" | "async"; path: string[] } | { value: Scalar };

/** Equalities that must all be true, such as `event.data.id == async.data.id && async.data.state == 'done'`. */
export type Condition = [Operand, Operand][];

const TOKEN = /\s*(==|&&|'[^'\\]*'|"[^"\\]*"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)/y;
const LITERALS: Record<string, Scalar> = { true: true, false: false, null: null };

/** Parses an expression. Throws on anything but equalities joined by `&&`. */
export function parseCondition(expression: string): Condition {
  const tokens = tokenize(expression);
  if (tokens.length === 0) throw unsupportedError(expression);
  const condition: Condition = [];
  for (let start = 0; start < tokens.length; start += 4) {
    const [left, equals, right, and] = tokens.slice(start, start + 4);
    const isComplete = left !== undefined && equals === "==" && right !== undefined;
    if (
      !isComplete ||
      (and === undefined ? start + 3 !== tokens.length : and !== "&&" || start + 4 === tokens.length)
    ) {
      throw unsupportedError(expression);
    }
    condition.push([parseOperand(left, expression), parseOperand(right, expression)]);
  }
  return condition;
}

/** Parses a path such as `event.data.x`. Throws on anything else. */
export function parsePath(expression: string): string[] {
  const [token, ...rest] = tokenize(expression);
  const operand = token !== undefined && rest.length === 0 ? parseOperand(token, expression) : null;
  if (!operand || !("root" in operand) || operand.root !== "event") throw unsupportedError(expression);
  return operand.path;
}

/** Returns the value at a path of an event; undefined when it is missing or not a scalar. */
export function readScalar(event: unknown, path: string[]): Scalar | undefined {
  let value = event;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return isScalar(value) ? value : undefined;
}

/** Returns whether all equalities of a condition are true. A missing value equals nothing. */
export function matchesCondition(condition: Condition, events: { event: unknown; async?: unknown }): boolean {
  const readOperand = (operand: Operand) =>
    "root" in operand ? readScalar(events[operand.root], operand.path) : operand.value;
  return condition.every(([left, right]) => {
    const value = readOperand(left);
    return value !== undefined && value === readOperand(right);
  });
}

export const isScalar = (value: unknown): value is Scalar =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (expression.slice(TOKEN.lastIndex).trim() !== "") {
    const match = TOKEN.exec(expression);
    if (!match) throw unsupportedError(expression);
    tokens.push(match[1]!);
  }
  return tokens;
}

function parseOperand(token: string, expression: string): Operand {
  if (/^['"]/.test(token)) return { value: token.slice(1, -1) };
  if (/^-?\d/.test(token)) return { value: Number(token) };
  if (Object.hasOwn(LITERALS, token)) return { value: LITERALS[token]! };
  const [root, ...path] = token.split(".");
  if ((root !== "event" && root !== "async") || path.length === 0) throw unsupportedError(expression);
  return { root, path };
}

const unsupportedError = (expression: string) =>
  new Error(`the embedded engine takes only equalities of event.… and async.… joined by &&, not \`${expression}\``);
