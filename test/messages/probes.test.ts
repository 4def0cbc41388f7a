import { createServer } from "node:http";
import { afterAll, expect, test } from "vitest";
import { createRequestListener } from "../../server/process/request-listener";
import { readEnv } from "../../server/env";
import { listenOnLoopback } from "../loopback";

const passed: string[] = [];
const listener = createRequestListener(
  {
    api: () => Promise.resolve(),
    pages: ({ method, url }, response) => {
      passed.push(`${method} ${url}`);
      response.end("page");
    },
  },
  readEnv({}),
);
const server = createServer(listener);
const port = await listenOnLoopback(server, 0);
afterAll(() => server.close());

test.each(["/", "/?a=1", "/api/hello"])("HEAD %s is answered at once, without a page", async (path) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "HEAD" });
  expect([response.status, await response.text(), passed]).toEqual([200, "", []]);
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("other requests for these paths are those of pages", async () => {
  await fetch(`http://127.0.0.1:${port}/`);
  await fetch(`http://127.0.0.1:${port}/sign-in`, { method: "HEAD" });
  expect(passed).toEqual(["GET /", "HEAD /sign-in"]);
});
