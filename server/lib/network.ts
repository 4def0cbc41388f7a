import ipaddr from "ipaddr.js";

/** Returns the network by which an address is rate limited: the /64 of an IPv6 address, because its owner has all of it. */
export function toNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}
