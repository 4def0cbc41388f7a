import { isIP } from "node:net";
import { orAbort } from "./deadline";
import { type Allowlist, isAllowlisted } from "./allowlist";
import { OutboundError } from "./outbound-error";
import { isPublicAddress } from "./public-address";
import { type Lookup, resolvePublicName, resolveTrustedName } from "./resolve-name";

const MAX_ADDRESSES = 8;
const localNames = /^[^.]+$|\.(localhost|local|internal|home\.arpa)$/;

/**
 * The addresses that may be dialled for a URL: one look-up, all of it public unless the host is exempt. Throws
 * OutboundError `refused_address` or `unresolved`. Dial only what it answers: a name may say something else next time.
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
  if (addresses.length === 0) throw new OutboundError("unresolved", `The name ${host} has no address.`);
  // One private address among public ones is no accident: all or nothing.
  if (!isTrusted && !addresses.every(isPublicAddress)) throw nonPublicError();
  return addresses.slice(0, MAX_ADDRESSES);
}

const nonPublicError = () => new OutboundError("refused_address", "The address is not on the public internet.");
