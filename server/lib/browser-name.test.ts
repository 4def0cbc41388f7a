import { expect, test } from "vitest";
import { browserName } from "./browser-name";

const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/141.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0`, "Edge on Windows"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/141.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.0 Safari/605.1.15`, "Safari on macOS"],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit} CriOS/141.0 Safari/604.1`, "Chrome on iPhone"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/141.0.0.0 Safari/537.36`, "Chrome on ChromeOS"],
  ["curl/8.5.0", "curl"],
  ["", "Unknown browser"],
  [null, "Unknown browser"],
  ["<script>alert(1)</script>", "Unknown browser"],
  [`${"x".repeat(100_000)} Firefox/1`, "Unknown browser"],
])("displays %j as %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
