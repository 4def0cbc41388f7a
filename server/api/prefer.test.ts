import { expect, test } from "vitest";
import { readWait } from "./prefer";

const read = (prefer: string) => readWait(new Headers({ prefer }));

test.each([
  ["wait=1", 1],
  ["wait=60", 60],
  ["wait", 60],
  ["WAIT=5", 5],
  ['wait = "30"', 30],
  ["respond-async, wait=10", 10],
  ["wait=10; x=y", 10],
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
