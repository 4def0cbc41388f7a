import { isIP } from "node:net";
import { orAbort } from "./deadline";
import { type Allowlist, isAllowlisted } from "./allowlist";
import { OutboundError } from "./outbound-error";
import { isPublicAddress } from "./public-address";
import { type Lookup, resolvePublicName, resolveTrustedName } from "./resolve-name";

const MAX_ADDRESSES = 8;
const localNames = /^[^.]+$|\.(localhost|local|internal|home\.arpa)$/;

/**
 * Returns the addresses to connect to for a URL, by one DNS lookup; all are public unless the host is allowlisted. Throws
 * OutboundError `refused_address` or `unresolved`. Connect only to these, because the next lookup may differ.
 */
export async function findAddresses(
  url: URL,
  { allowlist, lookup, signal }: { allowlist: Allowlist; lookup?: Lookup; signal: AbortSignal },
): Promise<string[]> {
  const isTrusted = isAllowlisted(allowlist, url);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isLiteral = isIP(host) !== 0;
  if (!isLiteral && !isTrusted && localNames.test(host)) throw nonPublicError();

  const resolve = lookup ?? (isTrusted ? resolveTrustedName : resolvePublicName);
  const addresses = isLiteral ? [host] : await orAbort(resolve(host, signal), signal);
  if (addresses.length === 0)
    throw new OutboundError("unresolved", `${host} could not be resolved. Check the host name.`);
  // One private address among public ones is no accident: all or nothing.
  if (!isTrusted && !addresses.every(isPublicAddress)) throw nonPublicError();
  return addresses.slice(0, MAX_ADDRESSES);
}

const nonPublicError = () => new OutboundError("refused_address", "The URL is not on the public internet.");
