import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const app = path.resolve(import.meta.dirname, "..");
const sources = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(?<!\.test)\.tsx?$/.test(file),
);

test("every part that loads on demand has something in its place when it cannot be loaded", () => {
  const parts = sources.flatMap((file) =>
    [...readFileSync(path.join(app, file), "utf8").matchAll(/\bdynamic(?:<[^>]+>)?\(\s*\(\) =>[^;]+;/g)].map(
      ([part]) => part,
    ),
  );
  expect(parts.length).toBeGreaterThan(15);
  expect(parts.filter((part) => !part.includes("partNotLoaded"))).toEqual([]);
});
