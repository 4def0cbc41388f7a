type Params = Record<string, unknown>;

/** Parses a form as Stripe's libraries send it, whose names have brackets for objects and lists. */
export function parseForm(text: string): Params {
  const result: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.replaceAll("]", "").split("[");
    let target = result;
    for (const key of keys.slice(0, -1)) target = (target[key] ??= {}) as Params;
    target[keys.at(-1)!] = value;
  }
  return result;
}
