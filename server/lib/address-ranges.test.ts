import { expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../test/longest-turn";
import { createRangeTest, findRangeIssue } from "./address-ranges";

test.each([
  ["203.0.113.0/24", ["203.0.113.9", "::ffff:203.0.113.9", "::FFFF:cb00:7109"], ["203.0.114.1", "::cb00:7109"]],
  ["203.0.113.7", ["203.0.113.7", "::ffff:203.0.113.7"], ["203.0.113.8"]],
  ["2001:db8::/32", ["2001:db8:1::5", "2001:0DB8::"], ["2001:db9::1", "32.1.13.184"]],
  ["2001:db8::1", ["2001:db8:0:0:0:0:0:1"], ["2001:db8::2"]],
  ["0.0.0.0/0", ["192.0.2.1", "::ffff:192.0.2.1"], ["2001:db8::1"]],
  ["::/0", ["2001:db8::1", "::1"], ["192.0.2.1", "::ffff:192.0.2.1"]],
])("%s has %o and not %o", (range, inside, outside) => {
  expect(findRangeIssue(range)).toBeNull();
  const isInRange = createRangeTest([range]);
  for (const address of inside) expect(isInRange(address), address).toBe(true);
  for (const address of [...outside, "", "unknown", "203.0.113.7:80"]) expect(isInRange(address), address).toBe(false);
});

test.each([
  "",
  "10",
  "10.1",
  "0x7f.0.0.1",
  "010.0.0.1",
  "10.0.0.256",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "10.0.0.0/08",
  "10.0.0.0/",
  "10.0.0.0/8/8",
  " 10.0.0.0/8",
  "10.0.0.0/255.0.0.0",
  "2001:db8::/129",
  "2001:db8:::1",
  "fe80::1%eth0",
  "[::1]",
  "proxy.internal",
  "*",
])("%j is no range", (text) => {
  expect(findRangeIssue(text)).toMatch(/^must be an IPv4 or IPv6 address or CIDR range/);
});

test.each([
  ["10.1.2.3/8", "has bits after its prefix: write 10.0.0.0/8"],
  ["2001:db8::1/32", "has bits after its prefix: write 2001:db8::/32"],
  ["::ffff:10.0.0.0/104", "must be written as IPv4"],
  ["::ffff:10.0.0.1", "must be written as IPv4"],
])("%s is rejected with its remedy", (text, issue) => {
  expect(findRangeIssue(text)).toBe(issue);
});

test.each([":", "::", "a:", "0", ".", "1.1.1.1", "::ffff:"])(
  "a long text of %j is checked in a short turn",
  async (piece) => {
    const text = `${piece.repeat(20_000 / piece.length)}!`;
    let issue: string | null = null;
    const longestMs = await measureLongestTurnAgain(50, () => {
      issue = findRangeIssue(text);
      return Promise.resolve();
    });
    expect(issue).toMatch(/^must be an IPv4 or IPv6 address/);
    expect(longestMs).toBeLessThan(50);
  },
);
