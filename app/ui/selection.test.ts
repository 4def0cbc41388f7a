import { expect, test } from "vitest";
import { toggleSelection } from "./selection";

const listed = ["a", "b", "c", "d", "e"];
const toggle = (selected: string[], id: string, anchor?: string) => [
  ...toggleSelection(listed, new Set(selected), id, anchor),
];

test("a click adds an id, and another one removes it", () => {
  expect(toggle(["a"], "c")).toEqual(["a", "c"]);
  expect(toggle(["a", "c"], "c")).toEqual(["a"]);
});

test.each([
  [["b"], "d", "b", ["b", "c", "d"]],
  [["d"], "b", "d", ["d", "b", "c"]],
  [["a", "b", "c", "d"], "d", "b", ["a"]],
])("from %j, a range to %s from %s gives %j", (selected, id, anchor, expected) => {
  expect(toggle(selected, id, anchor)).toEqual(expected);
});

test("an anchor that is no longer listed makes no range", () => {
  expect(toggle([], "d", "gone")).toEqual(["d"]);
});
