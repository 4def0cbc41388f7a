import { randomBytes } from "node:crypto";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { createRangeTest } from "./address-ranges";
import { memoizePer } from "./memoize-per";

/**
 * Returns the client's address, by which failed authentications are counted and keys are limited to networks; null when
 * it is not known. `X-Forwarded-For` counts only as far as trusted proxies (addresses or CIDR ranges) wrote it: the address
 * is the first from the right that is not one of them. `socket` is null for a host that does not report addresses, and
 * undefined for a connection that was reset too early to have one, whose header counts for nothing.
 */
export function clientAddress(socket: string | null | undefined, headers: Headers, trusted: string[]): string | null {
  if (socket === undefined) return null;
  const peer = socket === null ? null : unmapAddress(socket);
  if (trusted.length === 0) return peer;
  const isTrusted = createProxyTest(trusted);
  if (peer !== null && !isTrusted(peer)) return peer;
  const hops = (headers.get("x-forwarded-for") ?? "").split(",");
  // Everything to the left of it is only the client's claim, even if the proxy wrote no valid address, and is not parsed.
  const last = hops.findLast((hop) => !isTrusted(hop.trim()));
  const client = unmapAddress(last?.trim() ?? "");
  return ipaddr.isValid(client) ? client : peer;
}

const createProxyTest = memoizePer(createRangeTest);

// A dual-stack socket shows IPv4 clients as ::ffff:192.0.2.1.
function unmapAddress(address: string): string {
  const mapped = /^::ffff:(.*)/i.exec(address)?.[1];
  // As sockets write it; the library takes 25 microseconds to parse it.
  if (mapped === undefined || isIPv4(mapped)) return mapped ?? address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/** Returns the network by which an address is rate limited: the /64 of an IPv6 address, because its owner has all of it. */
export function toNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}

/** Returns the network of an address; clients whose address is unknown share one. */
export const networkOf = (address: string | null): string => (address === null ? "unknown" : toNetwork(address));

/**
 * The header by which our own server tells Next's side a client's address. Its name is random in each process, so that
 * no client can send it; under a plain `next start` it is never sent.
 */
export const CLIENT_HEADER = `x-hub-client-${randomBytes(12).toString("hex")}`;
