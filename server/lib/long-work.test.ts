import { expect, test } from "vitest";
import { createLongWork } from "./long-work";

const block = (ms: number) => () => {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return ms;
};

test("runs pieces one by one, with room for everything else between them", async () => {
  const longWork = createLongWork();
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const turnsBetween: number[] = [];
  let seen = 0;
  const piece = () => {
    turnsBetween.push(turns - seen);
    const result = block(5)();
    seen = turns;
    return result;
  };
  expect(await Promise.all([longWork(piece), longWork(piece), longWork(piece)])).toEqual([5, 5, 5]);
  clearImmediate(next);
  expect(Math.min(...turnsBetween.slice(1))).toBeGreaterThan(0);
});

test("goes on after a piece that throws", async () => {
  const longWork = createLongWork();
  const failed = longWork(() => {
    throw new Error("broken");
  });
  const done = longWork(() => "done");
  await expect(failed).rejects.toThrow("broken");
  expect(await done).toBe("done");
});
