/** Shorter keys, such as the `ollama` of local servers, may be ordinary words of a completion. */
const MIN_KEY_LENGTH = 8;
const REMOVED = "[…]";

/** Returns a JSON value in which the provider's key is removed from all strings and member names. */
export function redactKey(value: unknown, apiKey: string | null): unknown {
  return apiKey === null || apiKey.length < MIN_KEY_LENGTH ? value : redact(value, apiKey);
}

function redact(value: unknown, key: string): unknown {
  if (typeof value === "string") return value.includes(key) ? value.replaceAll(key, REMOVED) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, key));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name, key), redact(member, key)] as const),
  );
}
