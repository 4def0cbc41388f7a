import { OutboundError } from "./outbound-error";

const MAX_CHARACTERS = 8_192;

export type Scheme = "https:" | "http:";

/**
 * Reads an address that somebody else gave us; throws OutboundError `refused_url` when its form alone rules it out.
 * Numbers in disguise (octal, hexadecimal, percent-encoded, full-width) come out as plain IP addresses.
 */
export function readUrl(text: string, schemes: Scheme[]): URL {
  // The URL standard silently drops or converts these, so that people and programs would read different addresses.
  if (text.length > MAX_CHARACTERS || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text))
    rejectUrl("is not a valid URL");
  const url = new URL(text);
  if (!schemes.some((scheme) => scheme === url.protocol)) {
    rejectUrl(`must start with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`);
  }
  if (url.username || url.password) rejectUrl("must not contain credentials");
  url.hash = "";
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  if (url.hostname.split(".").includes("")) rejectUrl("is not a valid URL");
  return url;
}

function rejectUrl(issue: string): never {
  throw new OutboundError("refused_url", `The URL ${issue}.`);
}
