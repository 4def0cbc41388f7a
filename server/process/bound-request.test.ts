import { expect, test } from "vitest";
import { isQueryBounded, pickKnownCookies } from "./request-listener";

test.each([
  ["/", true],
  [`/?${"a&".repeat(99)}`, true],
  [`/?${"a&".repeat(100)}`, false],
  [`/playground?input=${"a".repeat(6_000)}`, true],
  [`/sign-in?next=${"a".repeat(9_000)}`, false],
  [`/api/trpc/models.list?batch=1&input=${"a".repeat(9_000)}`, true],
  [`/api/trpc/models.list?${"a&".repeat(100)}`, false],
])("%#: bounds a query by its bytes and parameters", (target, isBounded) => {
  expect(isQueryBounded(target)).toBe(isBounded);
});

test("passes on only the hub's cookies, each once", () => {
  const session = ".AspNetCore.Cookies=a.b=; __Host-next-auth.csrf-token=c%7Cd";
  expect(pickKnownCookies(`other=1; ${session}; theme=dark; theme=light; broken; =x`)).toBe(`${session}; theme=dark`);
  const pieces = Array.from({ length: 500 }, (_, n) => `.AspNetCore.Cookies.${n}=a`).join("; ");
  expect(pickKnownCookies(pieces)).toBeUndefined();
  expect(pickKnownCookies(`theme=${"a".repeat(5_000)}; formats=x`)).toBe("formats=x");
});
