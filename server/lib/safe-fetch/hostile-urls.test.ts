import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkUrl, createSafeFetch, OutboundError } from ".";

/** Every way we know of to name an address that is not public. PORT stands for a port with a listener. */
const literals = [
  "0.0.0.0", "0", "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.0x0.0x0.0x1", "0x7f.1",
  "0177.0.0.1", "0177.0.0.01", "017700000001", "00000177.0.0.1", "127.0.0.1.", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1",
  "①②⑦.⓪.⓪.①", "１２７.０.０.１", "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "%30%78%37%66.1", "10.0.0.1", "10.255.255.255", "012.0.0.1",
  "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
  "169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.170.2", "169.254.0.1", "168.63.129.16",
  "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1", "198.18.0.1",
  "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "0.1.2.3",
  "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::127.0.0.1]", "[::7f00:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
  "[::ffff:a9fe:a9fe]", "[0:0:0:0:0:ffff:10.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]",
  "[64:ff9b:1::7f00:1]", "[100::1]", "[100:0:0:1::1]", "[2001::1]", "[2001:0:7f00:1::]", "[2001:2::1]", "[2001:3::1]", "[2001:4:112::1]",
  "[2001:10::1]", "[2001:20::1]", "[2001:db8::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2620:4f:8000::1]", "[3ffe::1]", "[3fff::1]",
  "[3fff:fff::1]", "[5f00::1]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[ff02::1]", "[4000::1]",
]; // prettier-ignore

const localNames = [
  "localhost", "LOCALHOST", "localhost.", "a.localhost", "intranet", "router.local", "metadata.google.internal", "nas.home.arpa",
]; // prettier-ignore

const malformed = [
  "ftp://127.0.0.1:PORT/", "file:///etc/passwd", "gopher://127.0.0.1:PORT/", "data:text/plain,hello", "javascript:alert(1)",
  "ws://127.0.0.1:PORT/", "unix:/run/docker.sock", "http://", "http://:PORT/", "//127.0.0.1:PORT/", "127.0.0.1:PORT", "/relative", "",
  "http://user:pass@127.0.0.1:PORT/", "http://user@example.com/", "http://example.com@127.0.0.1:PORT/", "http://:@@127.0.0.1:PORT/",
  "http://example.com\\@127.0.0.1:PORT/", "http://127.0.0.1:PORT\\@example.com/", "http:\\\\127.0.0.1:PORT", "http://exa\tmple.com/",
  "http://example.com/\r\nHost: 127.0.0.1", " http://127.0.0.1:PORT/", "http://127.0.0.1:PORT/\n", "http://\u0000127.0.0.1:PORT/",
  "http://127.0.0.1:PORT\u0085/", "http://[::1%25lo]:PORT/", "http://[fe80::1%eth0]:PORT/", "http://[::1", "http://256.256.256.256/",
  "http://1.2.3.4.5/", "http://0x100000000/", "http://127.0.0.1:99999/", "http://127.0.0.1:PORT:80/", "http://a..example.com/",
  "http://example.com../", "http://%00/", "http://exa%23mple.com/", `http://example.com/${"a".repeat(9_000)}`,
]; // prettier-ignore

const readsAsLiteral = [
  "http:127.0.0.1:PORT/",
  "http:///127.0.0.1:PORT/",
  "HTTP://127.0.0.1:PORT/",
  "http:/127.0.0.1:PORT",
];

let listener: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "::", resolve));
  port = (listener.address() as { port: number }).port;
});
afterAll(() => void listener.close());

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "allowed",
    (error: unknown) => (error instanceof OutboundError ? error.reason : error),
  );

const fetch = createSafeFetch({ allowHosts: [] });
const get = (url: string) => reasonOf(fetch(url.replace("PORT", String(port)), { timeoutMs: 5_000, maxBytes: 100 }));

describe("hostile addresses", () => {
  test.each(literals)("%s is not a public address", async (host) => {
    expect(await get(`http://${host}:PORT/`)).toBe("refused_address");
    expect(await get(`https://${host}:PORT/`)).toBe("refused_address");
    const check = checkUrl(`https://${host}/`, { schemes: ["https:"], allowHosts: [] });
    expect(await reasonOf(check)).toBe("refused_address");
  });

  test.each(localNames)("%s is not a public name", async (name) => {
    expect(await get(`http://${name}:PORT/`)).toBe("refused_address");
  });

  test.each(malformed)("%j is not an address", async (url) => {
    expect(await get(url)).toBe("refused_url");
  });

  test.each(readsAsLiteral)("%s means what a browser makes of it", async (url) => {
    expect(await get(url)).toBe("refused_address");
  });

  test.each(literals)("a name that resolves to %s is refused, also beside a public address", async (host) => {
    const address = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "");
    const lookup = async () => ["93.184.215.14", address];
    const fetch = createSafeFetch({ allowHosts: [], lookup });
    const outcome = reasonOf(fetch(`http://name.example:${port}/`, { timeoutMs: 5_000, maxBytes: 100 }));
    expect(await outcome).toBe("refused_address");
  });

  test("a name that turns private between check and call is refused", async () => {
    const answers = [["93.184.215.14"], ["127.0.0.1"]];
    const lookup = async () => answers.shift()!;
    const url = `http://rebind.example:${port}/`;
    expect(await reasonOf(checkUrl(url, { schemes: ["http:"], allowHosts: [], lookup }))).toBe("allowed");
    const fetch = createSafeFetch({ allowHosts: [], lookup });
    expect(await reasonOf(fetch(url, { timeoutMs: 5_000, maxBytes: 100 }))).toBe("refused_address");
  });

  test("only public addresses pass the check", async () => {
    for (const host of [
      "93.184.215.14",
      "1.1.1.1",
      "[2606:4700:4700::1111]",
      "[2a00:1450:4001::8a]",
      "223.255.255.255",
    ]) {
      const check = checkUrl(`https://${host}/`, { schemes: ["https:"], allowHosts: [] });
      expect(await reasonOf(check), host).toBe("allowed");
    }
  });

  test("the exempt host is that host and port, and nothing that looks like it", async () => {
    const exempt = createSafeFetch({ allowHosts: [`trusted.example:${port}`], lookup: async () => ["127.0.0.1"] });
    const ask = (url: string) => reasonOf(exempt(url, { timeoutMs: 5_000, maxBytes: 100 }));
    expect(await ask(`http://trusted.example:${port + 1}/`)).toBe("refused_address");
    expect(await ask(`http://trusted.example.org:${port}/`)).toBe("refused_address");
    expect(await ask(`http://127.0.0.1:${port}/`)).toBe("refused_address");
  });

  test("a loopback listener has seen not one connection", async () => {
    // Proof that the listener would have counted.
    expect(connections).toBe(0);
    const seen = createSafeFetch({ allowHosts: [`127.0.0.1:${port}`] });
    await reasonOf(seen(`http://127.0.0.1:${port}/`, { timeoutMs: 5_000, maxBytes: 100 }));
    expect(connections).toBe(1);
  });
});

test("an entry of OUTBOUND_ALLOW_HOSTS without a port is a clear error", () => {
  expect(() => createSafeFetch({ allowHosts: ["example.com"] })).toThrow('"example.com" is not host:port.');
});
