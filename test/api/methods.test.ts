import { expect, test } from "vitest";
import { newId } from "../../server/lib/id";
import { openOwnHost } from "./hosts";
import { published, publishedAdmin } from "./published";

const host = await openOwnHost();
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

const paths = Object.entries({ ...published.paths, ...publishedAdmin.paths }).map(([path, operations]) => {
  const declared = Object.keys(operations).map((method) => method.toUpperCase());
  return { path, allowed: METHODS.filter((method) => declared.includes(method === "HEAD" ? "GET" : method)) };
});

test("every path answers a method that it does not declare with 405 and those that it declares", async () => {
  expect(paths.length).toBeGreaterThan(60);
  for (const { path, allowed } of paths) {
    const target = host.url + path.replaceAll(/\{\w+\}/g, newId);
    for (const method of METHODS.filter((one) => !allowed.includes(one))) {
      const { status, headers } = await fetch(target, { method });
      const allow = headers.get("allow")?.split(", ");
      expect([status, allow?.toSorted()], `${method} ${path}`).toEqual([405, allowed.toSorted()]);
    }
  }
});
