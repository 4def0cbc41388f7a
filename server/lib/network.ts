import ipaddr from "ipaddr.js";

/** What an address is counted by: whoever has one IPv6 address has all of its /64. */
export function toNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":");
}
