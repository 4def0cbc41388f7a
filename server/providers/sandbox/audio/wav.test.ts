import { expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../../../test/longest-turn";
import { readWav, writeWav } from "./wav";

const MAX_TURN_MS = 50;

test.each(["", "A lighthouse at dusk.", "Zwölf Boxkämpfer"])("reads the comment %j back", (comment) => {
  expect(readWav(writeWav(new Int16Array(16_000), 16_000, comment))).toEqual({ seconds: 1, comment });
});

test("a long comment of a client takes a short turn", async () => {
  const bytes = writeWav(new Int16Array(8), 8_000, `${"\0".repeat(30_000)}x`);
  let comment: string | null | undefined;
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, () => {
    comment = readWav(bytes)?.comment;
    return Promise.resolve();
  });
  expect(comment).toBe("");
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});
