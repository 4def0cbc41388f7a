import { expect, test } from "vitest";
import { checkOrigin } from "./route";

const check = (origin: string | null, host: string) => () => {
  checkOrigin("https://hub.test", new Headers({ host, ...(origin !== null && { origin }) }));
};

test.each([
  ["no page", null, "hub.test"],
  ["the hub's own page", "https://hub.test", "hub.test"],
  ["another site's page, which CORS is for", "https://agent.example", "hub.test"],
  ["an application's page", "vscode-webview://abc", "localhost:3000"],
  ["a page of this machine", "http://localhost:3000", "localhost:3000"],
  ["a page of this machine by its address", "http://[::1]:3000", "[::1]:3000"],
  ["a program by the hub's name on another port", null, "HUB.test:3000"],
  ["a program in the same network of containers", null, "hub:3000"],
  ["a program in the same cluster", null, "hub.default.svc.cluster.local"],
  ["a program by an address", null, "192.0.2.7"],
])("accepts a request of %s", (_case, origin, host) => {
  expect(check(origin, host)).not.toThrow();
});

test.each([
  ["a page without a site", "null", "hub.test"],
  ["nonsense", "nonsense", "hub.test"],
  ["a file", "file://", "hub.test"],
  ["a site whose name was pointed at the hub", "http://evil.example:3000", "evil.example:3000"],
  ["a site whose name was pointed at the hub, without an Origin", null, "evil.example:3000"],
  ["a site whose name was pointed at the hub, with the Origin of another", "https://hub.test", "evil.example."],
  ["a name that ends like the hub's", null, "evil.hub.test"],
  ["no name", null, "a b"],
])("rejects a request of %s", (_case, origin, host) => {
  expect(check(origin, host)).toThrow(expect.objectContaining({ status: 403, code: "invalid_input" }) as Error);
});
