/** What is the same for all models of a provider's HTTP API. */
export interface Api {
  /** Returns the headers that carry the key. */
  authorize: (apiKey: string) => Record<string, string>;
  /** Hosts beside that of the base URL to which the key may be sent over https, such as `*.bfl.ai`. */
  apiHosts?: readonly string[];
  /** Hosts beside that of the base URL from which outputs are downloaded, without the key. */
  outputHosts?: readonly string[];
}

/** Returns whether a host is one of the listed; `*.example.com` stands for the hosts below example.com. */
export const isListedHost = (hosts: readonly string[] = [], host: string): boolean =>
  hosts.some((pattern) => (pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern));

const MAX_URL_LENGTH = 8_192;

/** Returns an http(s) URL that a response gave, read against a base; null for anything else. */
export function parseResponseUrl(text: unknown, base?: string): URL | null {
  if (typeof text !== "string" || text.length > MAX_URL_LENGTH || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  const hasCredentials = url.username !== "" || url.password !== "";
  return /^https?:$/.test(url.protocol) && !hasCredentials ? url : null;
}
