import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { literals, localNames, malformed, readsAsLiteral } from "../../../test/hostile-urls";
import { checkUrl, createSafeFetch, OutboundError } from ".";

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
  test.each(literals)("rejects the address %s", async (host) => {
    expect(await get(`http://${host}:PORT/`)).toBe("refused_address");
    expect(await get(`https://${host}:PORT/`)).toBe("refused_address");
    const check = checkUrl(`https://${host}/`, { schemes: ["https:"], allowHosts: [] });
    expect(await reasonOf(check)).toBe("refused_address");
  });

  test.each(localNames)("rejects the name %s", async (name) => {
    expect(await get(`http://${name}:PORT/`)).toBe("refused_address");
  });

  test.each(malformed)("rejects the malformed URL %j", async (url) => {
    expect(await get(url)).toBe("refused_url");
  });

  test.each(readsAsLiteral)("reads %s as browsers do", async (url) => {
    expect(await get(url)).toBe("refused_address");
  });

  test.each(literals)("rejects a name that resolves to %s, even beside a public address", async (host) => {
    const address = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "");
    const lookup = async () => ["93.184.215.14", address];
    const fetch = createSafeFetch({ allowHosts: [], lookup });
    const outcome = reasonOf(fetch(`http://name.example:${port}/`, { timeoutMs: 5_000, maxBytes: 100 }));
    expect(await outcome).toBe("refused_address");
  });

  test("rejects a name that becomes private between check and request", async () => {
    const answers = [["93.184.215.14"], ["127.0.0.1"]];
    const lookup = async () => answers.shift()!;
    const url = `http://rebind.example:${port}/`;
    expect(await reasonOf(checkUrl(url, { schemes: ["http:"], allowHosts: [], lookup }))).toBe("allowed");
    const fetch = createSafeFetch({ allowHosts: [], lookup });
    expect(await reasonOf(fetch(url, { timeoutMs: 5_000, maxBytes: 100 }))).toBe("refused_address");
  });

  test("accepts only public addresses", async () => {
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

  test("an allowed host is exactly that host and port", async () => {
    const allowedHost = createSafeFetch({ allowHosts: [`trusted.example:${port}`], lookup: async () => ["127.0.0.1"] });
    const send = (url: string) => reasonOf(allowedHost(url, { timeoutMs: 5_000, maxBytes: 100 }));
    expect(await send(`http://trusted.example:${port + 1}/`)).toBe("refused_address");
    expect(await send(`http://trusted.example.org:${port}/`)).toBe("refused_address");
    expect(await send(`http://127.0.0.1:${port}/`)).toBe("refused_address");
  });

  test("a loopback listener has seen no connection", async () => {
    // The request that follows shows that the listener counts connections.
    expect(connections).toBe(0);
    const seen = createSafeFetch({ allowHosts: [`127.0.0.1:${port}`] });
    await reasonOf(seen(`http://127.0.0.1:${port}/`, { timeoutMs: 5_000, maxBytes: 100 }));
    expect(connections).toBe(1);
  });
});

test("rejects an entry of OUTBOUND_ALLOW_HOSTS without a port", () => {
  expect(() => createSafeFetch({ allowHosts: ["example.com"] })).toThrow('"example.com" is not host:port.');
});
