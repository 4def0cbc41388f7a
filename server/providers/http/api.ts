import type { ProviderSettings } from "../../catalogue/model";
import { getConnection } from "./connection";

/** What is the same for all models of a provider's HTTP API. */
export interface Api {
  /** Returns the headers that carry the key. */
  authorize: (apiKey: string) => Record<string, string>;
  /** Hosts besides that of the base URL to which the key may be sent over https, such as `*.bfl.ai`. */
  apiHosts?: readonly string[];
  /** Hosts besides that of the base URL from which outputs are downloaded, without the key. */
  outputHosts?: readonly string[];
  /** Whether outputs at the base URL's own origin are downloaded with the key; by default none is. */
  outputsNeedKey?: boolean;
}

/**
 * Returns whether a host is one of the listed. `*.example.com` stands for all hosts below example.com,
 * `files*.example.com` for those directly below it whose names begin with `files`.
 */
export const isListedHost = (hosts: readonly string[] = [], host: string): boolean =>
  hosts.some((pattern) => {
    const [start = "", end] = pattern.split("*");
    if (end === undefined) return host === pattern;
    if (host.length <= start.length + end.length || !host.startsWith(start) || !host.endsWith(end)) return false;
    return start === "" || !host.slice(start.length, -end.length).includes(".");
  });

const MAX_URL_LENGTH = 8_192;

/** Returns an http(s) URL that a response gave, read against a base; null for anything else. */
export function parseResponseUrl(text: unknown, base?: string): URL | null {
  if (typeof text !== "string" || text.length > MAX_URL_LENGTH || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  const hasCredentials = url.username !== "" || url.password !== "";
  return /^https?:$/.test(url.protocol) && !hasCredentials ? url : null;
}

/**
 * Returns the URL of a path below the base URL, or an absolute URL that a response gave; null if that is neither at the
 * base URL's origin nor at a listed host, so that the key must not be sent there.
 */
export function findApiUrl(api: Api, provider: ProviderSettings, text: unknown): URL | null {
  const { origin, path } = getConnection(provider);
  const url = parseResponseUrl(typeof text === "string" && text.startsWith("/") ? `${origin}${path}${text}` : text);
  if (!url || url.origin === origin) return url;
  return url.protocol === "https:" && isListedHost(api.apiHosts, url.host) ? url : null;
}
