import { expect, test } from "vitest";
import { cutText } from "./cut-text";

const TEXT = "a🦊bc🦊🦊d";

test("cuts at every place, but never within a pair", () => {
  const cuts = Array.from({ length: TEXT.length + 2 }, (_, maxLength) => cutText(TEXT, maxLength));
  expect(cuts).toEqual(["", "a", "a", "a🦊", "a🦊b", "a🦊bc", "a🦊bc", "a🦊bc🦊", "a🦊bc🦊", "a🦊bc🦊🦊", TEXT, TEXT]);
});

test("leaves a text that is short enough as it is", () => {
  expect(cutText("ab\ud83d", 3)).toBe("ab\ud83d");
});
