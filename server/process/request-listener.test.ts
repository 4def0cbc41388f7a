import { expect, test } from "vitest";
import { isDecodable, readTarget } from "./request-listener";

test.each([
  ["/", "/"],
  ["/api/v1/me?a=%ff", "/api/v1/me?a=%ff"],
  ["http://hub.test/sign-in?next=/", "/sign-in?next=/"],
  ["HTTPS://hub.test", "/"],
  ["/%C3%A9", "/%C3%A9"],
  ["*", null],
  ["", null],
  ["hub.test:443", null],
  ["ftp://hub.test/", null],
])("%s asks for %s", (target, path) => {
  expect(readTarget(target)).toBe(path);
});

test.each([
  ["/models/%C3%A9?a=%ff", true],
  ["/models/%ff", false],
  ["/models/%", false],
])("%s decodes: %s", (target, decodes) => {
  expect(isDecodable(target)).toBe(decodes);
});
