import { expect, test } from "vitest";
import { buildRedirect, isRedirectUri, matchesRedirectUri } from "./redirect-uri";

test.each([
  "https://claude.ai/api/mcp/auth_callback",
  "https://vscode.dev/redirect?x=1",
  "https://Agent.example:443?x",
  "https://agent.example",
  "http://127.0.0.1:33418/",
  "http://localhost/callback",
  "http://[::1]:8080/callback",
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "com.example.app:/callback",
])("a client may register %s", (uri) => {
  expect(isRedirectUri(uri)).toBe(true);
});

test.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "blob:https://hub.test/1",
  "file:///etc/passwd",
  "about:blank",
  "view-source:https://agent.example",
  "ws://127.0.0.1/",
  "mailto:a@b.example",
  "http://agent.example/callback",
  "http://127.0.0.1.evil.example/callback",
  "http://localhost.evil.example/callback",
  "http://127.0.0.1@evil.example/callback",
  "http://user:secret@127.0.0.1/callback",
  "https://claude.ai@evil.example/callback",
  "https://claude.ai\\@evil.example/callback",
  "https://agent.example/#fragment",
  "https://agent.example/\u202e",
  "https://",
  "https:///agent.example/callback",
  "https:/agent.example/callback",
  "https:agent.example/callback",
  "https://%61gent.example/callback",
  "http://127.1:7777/callback",
  "http://2130706433/callback",
  "http://0x7f.0.0.1/callback",
  "http://[0:0:0:0:0:0:0:1]:7777/callback",
  "//agent.example/callback",
  "/callback",
  "",
  `https://agent.example/${"a".repeat(1_000)}`,
])("no client may register %j", (uri) => {
  expect(isRedirectUri(uri)).toBe(false);
});

test.each([
  ["http://127.0.0.1/callback", "http://127.0.0.1:51234/callback", true],
  ["http://127.0.0.1:1/callback", "http://127.0.0.1:2/callback", true],
  ["http://[::1]/callback", "http://[::1]:2/callback", true],
  ["http://localhost:1/callback", "http://localhost:2/callback", true],
  ["http://127.0.0.1/callback", "http://localhost/callback", false],
  ["http://127.0.0.1/callback", "http://127.0.0.1/other", false],
  ["http://127.0.0.1/callback", "http://127.0.0.1/callback?x=1", false],
  ["http://127.0.0.1/callback", "https://127.0.0.1/callback", false],
  ["http://127.0.0.1/callback", "http://127.0.0.1:1@evil.example/callback", false],
  ["http://127.0.0.1/callback", "http://127.0.0.1.evil.example/callback", false],
  ["http://127.0.0.1/callback", "http://127.0.0.2/callback", false],
  ["https://agent.example/callback", "https://agent.example/callback", true],
  ["https://agent.example/callback", "https://agent.example:8443/callback", false],
  ["https://agent.example/callback", "https://agent.example/callback/", false],
  ["https://agent.example/callback", "https://agent.example/callback?x=1", false],
  ["https://agent.example/callback", "https://AGENT.example/callback", false],
  ["https://agent.example/callback", "https://agent.example/x/../callback", false],
  ["cursor://a/callback", "cursor://a:1/callback", false],
  ["javascript:alert(1)", "javascript:alert(1)", false],
])("a client that registered %s may ask for %s: %s", (registered, requested, expected) => {
  expect(matchesRedirectUri(registered, requested)).toBe(expected);
});

test("an answer is added to the query of the address", () => {
  expect(buildRedirect("https://agent.example/cb?a=1", { code: "x y", state: "&code=z", iss: null })).toBe(
    "https://agent.example/cb?a=1&code=x+y&state=%26code%3Dz",
  );
  expect(buildRedirect("cursor://a/cb", { code: "x" })).toBe("cursor://a/cb?code=x");
  expect(buildRedirect("com.example.app:/cb", { code: "x" })).toBe("com.example.app:/cb?code=x");
});
