const MAX_CHARACTERS = 1_000;
/** Schemes of known programs. Other schemes must be a domain name in reverse (RFC 8252). */
const APP_SCHEMES = new Set(["cursor:", "vscode:", "vscode-insiders:", "vscodium:", "windsurf:", "zed:"]);
const REVERSED_DOMAIN = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;
const AUTHORITY = /^https?:\/\/([^/?:[]+|\[[^\]]*\])(?=[:/?]|$)/i;
const LOOPBACK_HOSTS = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * Returns whether a client may have this redirect address: https, http on this computer, or the scheme of an installed
 * app, but no scheme that a browser handles itself, such as `javascript:`.
 */
export function isRedirectUri(text: string): boolean {
  // Browsers drop or replace other characters, so the hub and the browser would read different addresses.
  if (text.length > MAX_CHARACTERS || !/^[!-~]+$/.test(text) || /[\\#]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username || password) return false;
  if (protocol === "https:") return isWrittenOut(text, hostname);
  if (protocol === "http:") return LOOPBACK_HOSTS.has(hostname) && isWrittenOut(text, hostname);
  return APP_SCHEMES.has(protocol) || REVERSED_DOMAIN.test(protocol);
}

/**
 * Returns whether an address spells its host in the canonical form. Other spellings, such as `https:///a.example` and
 * `http://127.1`, lead elsewhere in other programs.
 */
const isWrittenOut = (text: string, hostname: string): boolean => AUTHORITY.exec(text)?.[1]?.toLowerCase() === hostname;

/** Returns whether a requested redirect address is the registered one; on this computer its port may differ (RFC 8252). */
export function matchesRedirectUri(registered: string, requested: string): boolean {
  if (!isRedirectUri(registered) || !isRedirectUri(requested)) return false;
  if (registered === requested) return true;
  const [one, other] = [new URL(registered), new URL(requested)];
  if (one.protocol !== "http:" || other.protocol !== "http:") return false;
  one.port = other.port = "";
  return one.href === other.href;
}

/** Returns the redirect address with the parameters of a response in its query. */
export function buildRedirect(redirectUri: string, answer: Record<string, string | null>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}

/** Returns where a redirect address leads, for people: a host name, this computer, or an app on it. */
export function describeRedirectUri(redirectUri: string): { kind: "site" | "computer" | "app"; host: string } {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === "https:") return { kind: "site", host };
  if (protocol === "http:") return { kind: "computer", host: hostname };
  return { kind: "app", host: protocol.slice(0, -1) };
}
