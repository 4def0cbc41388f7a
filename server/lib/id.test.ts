import { expect, test } from "vitest";
import { version } from "uuid";
import { isId, newId } from "./id";

test("ids are of version 7, unlike each other and in the order in which they were made", () => {
  const startedAt = Date.now();
  const ids = Array.from({ length: 5_000 }, newId);
  expect(ids.every((id) => isId(id) && version(id) === 7)).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids.map((id) => id.slice(-8))).size).toBeGreaterThan(4_900);
  const times = ids.map((id) => Number.parseInt(id.replace("-", "").slice(0, 12), 16));
  expect(times[0]).toBeGreaterThanOrEqual(startedAt);
  expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
});
