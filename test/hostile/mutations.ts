type Json = Record<string, unknown>;

/** Values that may break a schema, a map or a statement. */
export const nastyValues: unknown[] = [
  null, true, 0, -1, 1e308, 5e-324, Number.MAX_SAFE_INTEGER, "", " ", "x".repeat(5_000), "\u202e\ufeffé", "0", "null", "{}",
  "__proto__", "constructor", "toString", "'; DROP TABLE generation; --", "%00", "../../etc/passwd", "sha256:zz",
  "http://169.254.169.254/", "data:,x", "$ref", [], {}, [[]], [null], { length: -1 }, { constructor: 1 }, { toString: "x" },
]; // prettier-ignore

/** Names of inherited properties, and names that may break a JSON pointer or a log line. */
export const nastyNames = [
  "constructor", "toString", "valueOf", "hasOwnProperty", "__defineGetter__", "__lookupSetter__", "isPrototypeOf",
  "prototype", "__proto__", "", "a.b", "/", "~1", "\n", "0", "length", "then", "toJSON", "é\u202e", "x".repeat(500),
]; // prettier-ignore

/** Yields every variant of a valid body in which one member, at any depth, is replaced, removed or added. */
export function* mutateBody(body: Json): Generator<string> {
  for (const value of nastyValues) yield JSON.stringify(value);
  for (const changed of mutateInside(body)) yield JSON.stringify(changed);
  // An object literal cannot have these members.
  const text = JSON.stringify(body);
  yield text.replace(/^\{/, '{"__proto__":{"admin":true},');
  yield text.replace(/^\{/, '{"constructor":{"prototype":{}},"constructor":1,');
  for (let cut = 1; cut < text.length; cut += Math.ceil(text.length / 8)) yield text.slice(0, cut);
  yield text + text;
}

function* mutateInside(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  for (const name of Object.keys(value)) {
    const inner = (value as Json)[name];
    for (const nasty of nastyValues) yield replace(value, name, nasty);
    for (const changed of mutateInside(inner)) yield replace(value, name, changed);
    if (!Array.isArray(value)) yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  }
  if (Array.isArray(value)) return;
  for (const name of nastyNames) yield Object.fromEntries([...Object.entries(value), [name, 1]]);
}

function replace(owner: object, name: string, value: unknown): unknown {
  if (Array.isArray(owner)) return owner.map((item: unknown, index) => (String(index) === name ? value : item));
  return Object.fromEntries(Object.entries(owner).map(([key, old]) => [key, key === name ? value : old]));
}
