import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Action, describeTarget, verbOf } from "./describe-action";

const entry = (changes: Partial<Action>) => changes as Action;

test("every action of the server has a verb", () => {
  const sources = readdirSync("server", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(`server/${name}`, "utf8"));
  const actions = sources.flatMap((text) =>
    [...text.matchAll(/\baction(?::| =)(?: \w+ (?:=== undefined )?\?)? "([a-z-]+\.[a-z-]+)"/g)].map(
      ([, name]) => name!,
    ),
  );
  expect(actions.length).toBeGreaterThan(20);
  expect(actions.filter((action) => verbOf(entry({ action })).includes("."))).toEqual([]);
});

test("a target has its page, where there is one", () => {
  expect(describeTarget(entry({ target_kind: "account", target_id: "7" }))).toEqual({
    text: "account 7",
    href: "/admin/accounts/7",
  });
  expect(describeTarget(entry({ target_kind: "hub", target_id: "" }))).toEqual({ text: "the hub", href: undefined });
  expect(describeTarget(entry({ target_kind: "worker-token", target_id: "a" }))).toEqual({
    text: "worker token a",
    href: "/admin/workers",
  });
});
