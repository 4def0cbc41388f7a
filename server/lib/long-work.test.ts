import { expect, test } from "vitest";
import { createLongWork } from "./long-work";

const block = (ms: number) => () => {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return ms;
};

test("runs chunks of work one by one, and yields to other work between them", async () => {
  const longWork = createLongWork();
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const turnsBetween: number[] = [];
  let seen = 0;
  const chunk = () => {
    turnsBetween.push(turns - seen);
    const result = block(5)();
    seen = turns;
    return result;
  };
  expect(await Promise.all([longWork(chunk), longWork(chunk), longWork(chunk)])).toEqual([5, 5, 5]);
  clearImmediate(next);
  expect(Math.min(...turnsBetween.slice(1))).toBeGreaterThan(0);
});

test("continues after a chunk that throws", async () => {
  const longWork = createLongWork();
  const failed = longWork(() => {
    throw new Error("broken");
  });
  const done = longWork(() => "done");
  await expect(failed).rejects.toThrow("broken");
  expect(await done).toBe("done");
});
