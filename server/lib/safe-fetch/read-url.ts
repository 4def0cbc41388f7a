import { OutboundError } from "./outbound-error";
import type { Scheme } from "./safe-request";

const MAX_CHARACTERS = 8_192;

/**
 * Reads an address that somebody else gave us; throws OutboundError `refused_url` when its form alone rules it out.
 * Numbers in disguise (octal, hexadecimal, percent-encoded, full-width) come out as plain IP addresses.
 */
export function readUrl(text: string, schemes: Scheme[]): URL {
  // The URL standard drops or turns these silently, so that people and programs would read different addresses.
  if (text.length > MAX_CHARACTERS || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) refuse("is not a valid URL");
  const url = new URL(text);
  if (!schemes.some((scheme) => scheme === url.protocol)) {
    refuse(`must start with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`);
  }
  if (url.username || url.password) refuse("must not carry credentials");
  url.hash = "";
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  if (url.hostname.split(".").includes("")) refuse("is not a valid URL");
  return url;
}

function refuse(fault: string): never {
  throw new OutboundError("refused_url", `The address ${fault}.`);
}
