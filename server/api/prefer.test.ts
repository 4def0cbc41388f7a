import { expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../test/longest-turn";
import { readWait } from "./prefer";

const MAX_TURN_MS = 50;

const read = (prefer: string) => readWait(new Headers({ prefer }));

test.each([
  ["wait=1", 1],
  ["wait=60", 60],
  ["wait", 60],
  ["WAIT=5", 5],
  ['wait = "30"', 30],
  ["respond-async, wait=10", 10],
  ["wait=10; x=y", 10],
  [" wait ; x=y", 60],
  ['wait = "" ; x=y', 60],
  ["wait=10, wait=20", 10],
  ["wait=3600", 60],
])("waits as %s prefers", (prefer, seconds) => expect(read(prefer)).toBe(seconds));

test.each([
  "",
  "wait=0",
  "wait=-1",
  "wait=1.5",
  "wait=soon",
  "wait=1 2",
  "waiting=5",
  "return=minimal",
  "wait=9999999999",
])("ignores %j", (prefer) => expect(read(prefer)).toBeNull());

test("waits for nothing without the header", () => expect(readWait(new Headers())).toBeNull());

test.each([
  `wait${" ".repeat(15_000)}=x`,
  `wait=""${" ".repeat(15_000)}x`,
  `wait=5${" ".repeat(15_000)}x`,
  `${" ".repeat(15_000)}wait x`,
  `${`wait${" ".repeat(300)},`.repeat(50)}`,
])("reads a long header in short turns", async (prefer) => {
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, () => Promise.resolve(read(prefer)));
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});
