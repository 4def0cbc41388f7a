import { expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../test/longest-turn";
import { readEnv } from "../env";
import { clientAddress } from "./client-address";

const PROXY = ["10.0.0.1"];
const MAX_TURN_MS = 5;

test.each([
  ["the socket's", "192.0.2.1", null, [], "192.0.2.1"],
  ["IPv4 on a dual-stack socket", "::ffff:192.0.2.1", null, [], "192.0.2.1"],
  ["a claim without any trusted proxy", "192.0.2.1", "198.51.100.7", [], "192.0.2.1"],
  ["a claim past the trusted proxy", "192.0.2.1", "198.51.100.7", PROXY, "192.0.2.1"],
  ["a trusted proxy's word", "10.0.0.1", "198.51.100.7", PROXY, "198.51.100.7"],
  ["a trusted range's word", "10.9.8.7", "198.51.100.7", ["10.0.0.0/8", "fd00::/8"], "198.51.100.7"],
  ["a lie before the proxy's word", "10.0.0.1", "203.0.113.9, 198.51.100.7", PROXY, "198.51.100.7"],
  ["two trusted proxies", "10.0.0.1", "198.51.100.7, 10.0.0.2", ["10.0.0.1", "10.0.0.2"], "198.51.100.7"],
  ["a proxy that says nothing", "10.0.0.1", null, PROXY, "10.0.0.1"],
  ["a proxy that passes nonsense on", "10.0.0.1", "unknown", PROXY, "10.0.0.1"],
  ["a lie before nonsense", "10.0.0.1", "203.0.113.9, unknown", PROXY, "10.0.0.1"],
  ["a mapped address in hexadecimal", "10.0.0.1", "::FFFF:c633:6407", PROXY, "198.51.100.7"],
  ["a connection that was reset", undefined, "198.51.100.7", PROXY, null],
  ["a host that does not report it", null, "198.51.100.7", [], null],
  ["a host that does not report it, behind a proxy", null, "198.51.100.7", PROXY, "198.51.100.7"],
] as const)("%s", (_case, socket, forwarded, trusted, address) => {
  const headers = new Headers(forwarded === null ? {} : { "x-forwarded-for": forwarded });
  expect(clientAddress(socket, headers, [...trusted])).toBe(address);
});

test("does not parse what the client wrote before its proxy", async () => {
  const headers = new Headers({ "x-forwarded-for": `${"::ffff:z,".repeat(1_700)}198.51.100.7` });
  let address: string | null = null;
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, () => {
    address = clientAddress("10.0.0.1", headers, PROXY);
    return Promise.resolve();
  });
  expect(address).toBe("198.51.100.7");
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});

test("rejects proxies that are no addresses when it reads the settings", () => {
  expect(() => readEnv({ TRUSTED_PROXIES: "10.0.0.1, 10.0.0.0/8, ::1, fd00::/8" })).not.toThrow();
  for (const TRUSTED_PROXIES of ["proxy.internal", "10.0.0.0/99", "10.0.0.1 10.0.0.2"]) {
    expect(() => readEnv({ TRUSTED_PROXIES })).toThrow(/^TRUSTED_PROXIES: must be/);
  }
});
