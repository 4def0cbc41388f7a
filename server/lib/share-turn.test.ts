import { expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../test/longest-turn";
import { createTurnShare } from "./share-turn";

const MAX_TURN_MS = 40;

/** Keeps the processor busy. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("much work that begins in one turn is spread over many, each piece once", async () => {
  const shareTurn = createTurnShare();
  let done: number[] = [];
  const longest = await measureLongestTurnAgain(MAX_TURN_MS, () => {
    done = [];
    return Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const turn = shareTurn();
        if (turn) await turn;
        work(1);
        done.push(n);
      }),
    );
  });
  expect(longest).toBeLessThan(MAX_TURN_MS);
  expect(done).toEqual(Array.from({ length: 200 }, (_, n) => n));
});
