import type { ProviderSettings } from "../../catalogue/model";
import { cutText } from "../../lib/cut-text";
import { memoizePer } from "../../lib/memoize-per";
import type { SlicedWork } from "../../lib/slices";

/** Shorter keys, such as the `ollama` of local servers, may be ordinary words of a completion. */
const MIN_KEY_LENGTH = 8;
const MAX_MESSAGE_LENGTH = 500;
const REMOVED = "[…]";

/** Addresses that everybody knows, and that customers talk about. */
const PUBLIC_HOST =
  /^(api\.(openai|anthropic|groq|deepseek|deepinfra|perplexity)\.com|api\.(mistral|fireworks|cerebras|perplexity|x)\.ai|openrouter\.ai|api\.together\.xyz|generativelanguage\.googleapis\.com)$/;

/**
 * Returns a JSON value in which the provider's key and the address of its server are removed from all strings and member
 * names: a server may repeat the headers that it got.
 */
export function redactProvider(value: unknown, provider: Pick<ProviderSettings, "baseUrl" | "apiKey">): unknown {
  const secrets = listSecrets(provider);
  return secrets.length === 0 ? value : redact(value, secrets);
}

const PIECE_BYTES = 64 * 1024;
/** A native search for these would begin anew at each backslash of a text with many escapes. */
const ESCAPE = /\\[u/]/;

/**
 * Returns whether JSON text can hold what `redactProvider` removes, in plain text or escaped: searching each of many
 * values takes long.
 */
export function* mayHoldSecret(
  data: Buffer,
  provider: Pick<ProviderSettings, "baseUrl" | "apiKey">,
): SlicedWork<boolean> {
  const secrets = listSecretBytes(provider);
  if (secrets.length === 0) return false;
  const overlap = Math.max(...secrets.map(({ length }) => length));
  for (let start = 0; start < data.length; start += PIECE_BYTES) {
    const piece = data.toString("latin1", start, start + PIECE_BYTES + overlap);
    if (ESCAPE.test(piece) || secrets.some((secret) => piece.includes(secret))) return true;
    yield;
  }
  return false;
}

/** Returns the secrets as data has them: each byte of their UTF-8 as one character. */
const listSecretBytes = memoizePer((provider: Pick<ProviderSettings, "baseUrl" | "apiKey">): string[] =>
  listSecrets(provider).map((secret) => Buffer.from(secret).toString("latin1")),
);

const listSecrets = memoizePer(({ baseUrl, apiKey }: Pick<ProviderSettings, "baseUrl" | "apiKey">): string[] => {
  const { host, hostname } = baseUrl === null ? { host: "", hostname: "" } : new URL(baseUrl);
  const key = apiKey !== null && apiKey.length >= MIN_KEY_LENGTH ? [apiKey] : [];
  if (host === "" || PUBLIC_HOST.test(hostname)) return key;
  // A name without a dot, and the address of every machine for itself, are ordinary words unless the port follows.
  const isWord = !hostname.includes(".") || hostname.startsWith("127.");
  return isWord ? [...key, ...(host === hostname ? [] : [host])] : [...key, host, hostname];
});

function redact(value: unknown, secrets: string[]): unknown {
  if (typeof value === "string")
    return secrets.reduce((text, secret) => (text.includes(secret) ? text.replaceAll(secret, REMOVED) : text), value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, secrets));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name, secrets), redact(member, secrets)] as const),
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
  return redactLine(
    own.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text.slice(0, 10 * MAX_MESSAGE_LENGTH)),
  );
}

/** How much of a text is searched: the patterns take a time that grows with its square. */
const MAX_READ_LENGTH = 2 * MAX_MESSAGE_LENGTH;
const TERMINAL_COLOUR = /\p{Cc}\[[\d;]*m/gu;

/** Returns a text as one line of at most 500 characters, without anything that looks like a key or an address. */
export function redactLine(text: string): string {
  let clean = text.slice(0, MAX_READ_LENGTH).replace(TERMINAL_COLOUR, "");
  for (const pattern of SENSITIVE_PATTERNS) clean = clean.replace(pattern, REMOVED);
  return cutText(clean.replace(/[\p{Cc}\p{Surrogate}]+/gu, " ").trim(), MAX_MESSAGE_LENGTH);
}
