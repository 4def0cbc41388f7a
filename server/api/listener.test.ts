import { expect, test } from "vitest";
import { openOwnHost } from "../../test/api/hosts";
import { openRawClient } from "../../test/raw-client";

const host = await openOwnHost();

/** Sends raw bytes that no HTTP client would send, and returns the whole response. */
async function raw(text: string): Promise<string> {
  const client = await openRawClient(host.url, text);
  await client.closed;
  return client.received();
}

test.each([
  ["a Host that is none", "GET /api/v1/health HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n"],
  ["a backslash in the path", "GET /api\\v1 HTTP/1.1\r\nHost: hub.test\r\nConnection: close\r\n\r\n"],
])("responds to %s with a problem", async (_case, text) => {
  const response = await raw(text);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toMatch(/x-request-id: [\w-]+/i);
  expect(response).toMatch(/^x-content-type-options: nosniff\r$/im);
  expect(response).toMatch(/^cache-control: no-store\r$/im);
  expect(response).toContain("application/problem+json");
  expect(response).toContain('"code":"invalid_input"');
});

test("serves HTTP/1.0 without a Host", async () => {
  expect(await raw("GET /api/v1/health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  expect(await raw("GET /api/v1/me HTTP/1.0\r\n\r\n")).toContain('"instance":"/api/v1/me"');
});

test("serves a request with an absolute target", async () => {
  const response = await raw(
    `GET http://hub.test/api/v1/health HTTP/1.1\r\nHost: hub.test\r\nConnection: close\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
});
