/**
 * Returns the entries of a price list in JSON at these paths, as JSON: lists have megabytes, but a catalogue needs only a
 * few entries. Throws SyntaxError if it is not JSON.
 */
export function reducePriceList(text: string, paths: string[][]): string {
  const list: unknown = JSON.parse(text);
  const reduced = new Map<string, unknown>();
  for (const [name = "", ...inner] of paths) {
    const entry = inner.reduce(readMember, readMember(list, name));
    if (entry === undefined) continue;
    const [, model] = inner;
    reduced.set(name, model === undefined ? entry : addModel(reduced.get(name), model, entry));
  }
  return JSON.stringify(Object.fromEntries(reduced));
}

function readMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Returns a provider of models.dev with one more model. */
const addModel = (provider: unknown, model: string, entry: unknown) => ({
  models: { ...(readMember(provider, "models") as object | undefined), [model]: entry },
});
