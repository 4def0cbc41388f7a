import { expect, test } from "vitest";
import { openOwnHost } from "../../test/api/hosts";
import { openRaw } from "../../test/raw-client";

const host = await openOwnHost();

/** Sends raw bytes that no HTTP client would send, and returns the whole response. */
async function raw(text: string): Promise<string> {
  const client = await openRaw(host.url, text);
  await client.closed;
  return client.received();
}

test.each([
  ["a Host that is none", "GET /api/v1/health HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n"],
  ["a backslash in the path", "GET /api\\v1 HTTP/1.1\r\nHost: hub.test\r\nConnection: close\r\n\r\n"],
])("%s is answered by a problem as well", async (_case, text) => {
  const answer = await raw(text);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/x-request-id: [\w-]+/i);
  expect(answer).toMatch(/^x-content-type-options: nosniff\r$/im);
  expect(answer).toMatch(/^cache-control: no-store\r$/im);
  expect(answer).toContain("application/problem+json");
  expect(answer).toContain('"code":"invalid_input"');
});

test("serves a request with an absolute target", async () => {
  const answer = await raw(`GET http://hub.test/api/v1/health HTTP/1.1\r\nHost: hub.test\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});
