import type { ProviderSettings } from "../../catalogue/model";

const LONGEST = 500;
const REMOVED = "[…]";

/** What in a message could be an address, a name of a machine or a secret, whoever's. */
const SUSPECTS = [
  /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
  /\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g,
  /\b(bearer|basic)\s+\S+/gi,
  /\b(sk|pk|key|org|proj|req)[-_][\w*.-]{4,}/gi,
  /[\w*+/=-]{32,}/g,
];

/** A provider's words, fit for customers: on one line, short, without its key, its address or anything like one. */
export function redactMessage(text: string, { baseUrl, apiKey }: ProviderSettings): string {
  const { host, hostname } = new URL(baseUrl!);
  const own = [apiKey, baseUrl, host, hostname].filter((secret): secret is string => Boolean(secret));
  let clean = own.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text.slice(0, 10 * LONGEST));
  for (const suspect of SUSPECTS) clean = clean.replace(suspect, REMOVED);
  return clean
    .replace(/[\p{Cc}\p{Surrogate}]+/gu, " ")
    .trim()
    .slice(0, LONGEST);
}
