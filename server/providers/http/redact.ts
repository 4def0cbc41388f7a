import type { ProviderSettings } from "../../catalogue/model";

/** Shorter keys, such as the `ollama` of local servers, may be ordinary words of a completion. */
const MIN_KEY_LENGTH = 8;
const MAX_MESSAGE_LENGTH = 500;
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

/** Patterns of URLs, IP addresses, credentials and long tokens. */
const SENSITIVE_PATTERNS = [
  /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
  /\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g,
  /\b(bearer|basic)\s+\S+/gi,
  /\b(sk|pk|key|org|proj|req)[-_][\w*.-]{4,}/gi,
  /[\w*+/=-]{32,}/g,
];

/** Returns a provider's message for customers: one short line without keys, addresses or anything that looks like one. */
export function redactMessage(text: string, { baseUrl, apiKey }: ProviderSettings): string {
  const { host, hostname } = new URL(baseUrl!);
  const own = [apiKey, baseUrl, host, hostname].filter((secret): secret is string => Boolean(secret));
  let clean = own.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text.slice(0, 10 * MAX_MESSAGE_LENGTH));
  for (const pattern of SENSITIVE_PATTERNS) clean = clean.replace(pattern, REMOVED);
  return clean
    .replace(/[\p{Cc}\p{Surrogate}]+/gu, " ")
    .trim()
    .slice(0, MAX_MESSAGE_LENGTH);
}
