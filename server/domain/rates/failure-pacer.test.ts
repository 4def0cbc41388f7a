import { expect, test } from "vitest";
import { createFailurePacer } from "./failure-pacer";

test("callers with one key go on one after the other, and others are not kept", async () => {
  const pace = createFailurePacer({ stepMs: 2, maxWaitMs: 40 });
  const startedAt = performance.now();
  const order: string[] = [];
  const wait = (key: string, name: string) => pace(key).then(() => void order.push(name));
  await Promise.all([...Array.from({ length: 30 }, (_, n) => wait("a", `a${n}`)), wait("b", "b")]);
  expect(order.indexOf("b")).toBeLessThan(5);
  expect(order.filter((name) => name !== "b").slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, n) => `a${n}`));
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(38);
});
