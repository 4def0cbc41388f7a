import ipaddr from "ipaddr.js";

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Returns a function that says whether an address is in one of these addresses and CIDR ranges. */
export function createRangeTest(ranges: readonly string[]): (address: string) => boolean {
  const parsed = ranges.map(parseRange);
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    // An IPv4 client may be reported as ::ffff:192.0.2.1.
    const address = ipaddr.process(text);
    return parsed.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  };
}

function parseRange(text: string): Range {
  if (text.includes("/")) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

const FORM = /^([\d.]+|(?=[\da-f.]*:)[\da-f:.]+)(?:\/(?:0|[1-9]\d{0,2}))?$/i;

/** Returns what is wrong with an address or CIDR range; null if it is valid. */
export function findRangeIssue(text: string): string | null {
  if (!isRange(text)) return "must be an IPv4 or IPv6 address or CIDR range, such as 203.0.113.0/24 or 2001:db8::/32";
  const [base, bits] = parseRange(text);
  if (base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress()) return "must be written as IPv4";
  const family = base instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4;
  const first = family.networkAddressFromCIDR(`${base.toString()}/${bits}`).toString();
  return first === base.toString() ? null : `has bits after its prefix: write ${first}/${bits}`;
}

/** Returns whether a text is a whole address or a range of one; the library also takes shorter and octal ones. */
function isRange(text: string): boolean {
  const [, address = ""] = FORM.exec(text) ?? [];
  if (!address.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}
