import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Env, readEnv } from "../server/env";

const example = readFileSync(".env.example", "utf8");
const displayed = new Map(
  [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
);
const schema = /z\.object\(\{([^]*?)\n\}\)/.exec(readFileSync("server/env.ts", "utf8"))![1]!;
const read = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!);

test("describes every setting that the hub reads, and no other", () => {
  expect(read.length).toBeGreaterThan(15);
  expect([...displayed.keys()].sort()).toEqual(read.sort());
});

test("shows the default values", () => {
  const defaults = readEnv({});
  for (const [name, value] of displayed) {
    expect({ [name]: readEnv({ [name]: value })[name as keyof Env] }).toEqual({ [name]: defaults[name as keyof Env] });
  }
});

test("every setting has a sentence above it", () => {
  const lines = example.split("\n");
  const bare = lines.filter(
    (line, index) => /^# [A-Z0-9_]+=/.test(line) && !/^# .+[.;]?\s?\S+/.test(lines[index - 1]!),
  );
  expect(bare).toEqual([]);
});
