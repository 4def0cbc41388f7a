import { BlockList, isIP, isIPv6 } from "node:net";

// Ranges of IANA's special-purpose registry, and addresses at which clouds serve their metadata.
const special = createBlockList([
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's host agent
  "169.254.0.0/16", // link-local and metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved and broadcast
  "2001::/23", // Teredo, ORCHID, benchmarks and other protocol assignments
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, which carries an IPv4 address
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // 6bone, returned
  "3fff::/20", // documentation
]);

// Loopback, local, mapped, compatible, translated (64:ff9b::) and multicast addresses are all outside of it.
const globalUnicast = createBlockList(["2000::/3"]);

/** Returns whether a text is an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  if (!isIPv6(address)) return !special.check(address, "ipv4");
  return globalUnicast.check(address, "ipv6") && !special.check(address, "ipv6");
}

function createBlockList(ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), isIPv6(network) ? "ipv6" : "ipv4");
  }
  return list;
}
