import { isIP } from "node:net";
import { lookup as lookUpName, Resolver } from "node:dns/promises";
import { OperatorError } from "../operator-error";
import { orAbort } from "./deadline";
import { OutboundError } from "./outbound-error";
import { isPublicAddress } from "./public-address";

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
  // A private address among public ones is no accident, so one rejects them all.
  if (!isTrusted && !addresses.every(isPublicAddress)) throw nonPublicError();
  return addresses.slice(0, MAX_ADDRESSES);
}

const nonPublicError = () => new OutboundError("refused_address", "The URL is not on the public internet.");

/** All addresses of a name; none when it has none. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<string[]>;

/** Asks the DNS directly, off the thread pool that getaddrinfo would let a slow name server fill up. */
const resolvePublicName: Lookup = async (name, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

/** Asks the system, including its hosts file, for names that the operator trusts. */
const resolveTrustedName: Lookup = async (name) => {
  const answers = await lookUpName(name, { all: true }).catch(() => []);
  return answers.map(({ address }) => address);
};

/** `host:port` pairs that the operator trusts although their addresses are not public. */
type Allowlist = ReadonlySet<string>;

/** Reads `OUTBOUND_ALLOW_HOSTS`; throws when an entry is not a host with its port. */
export function parseAllowlist(allowHosts: string[]): Allowlist {
  return new Set(
    allowHosts.map((entry) => {
      const [, host, port] = /^(.+):(\d{1,5})$/.exec(entry.trim()) ?? [];
      if (!host || !URL.canParse(`http://${host}`)) {
        throw new OperatorError(`OUTBOUND_ALLOW_HOSTS: "${entry}" is not host:port.`);
      }
      return `${new URL(`http://${host}`).hostname}:${Number(port)}`;
    }),
  );
}

const isAllowlisted = (allowlist: Allowlist, url: URL): boolean => allowlist.has(hostAndPort(url));

/** Returns the server of a URL as an entry of `OUTBOUND_ALLOW_HOSTS`. */
export const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
