import { expect, test } from "vitest";
import { formatTitle } from "./serialize-generation";

test.each([
  [{ prompt: "  a tree\n in  spring " }, "a tree in spring"],
  [{ prompt: "" }, null],
  [{ prompt: " \n " }, null],
  [{ prompt: 5 }, null],
  [{}, null],
  [{ messages: [{ content: "first" }, { role: "user", content: "last" }] }, "last"],
  [{ messages: [{ content: [{ type: "text", text: "what is" }, { type: "image_url" }, { text: "this?" }] }] }, "what is this?"], // prettier-ignore
  [{ messages: [] }, null],
  [{ messages: [null] }, null],
  [{ messages: "none" }, null],
  [{ images: [], trigger_word: "ada42" }, "ada42"],
  [{ omitted: "[9 characters]" }, null],
])("%j has the title %j", (input, title) => {
  expect(formatTitle(input)).toBe(title);
});

test("a long title is cut, but never within a character", () => {
  expect(formatTitle({ prompt: "x".repeat(500) })).toBe(`${"x".repeat(160)}…`);
  expect(formatTitle({ prompt: `${"x".repeat(159)}🌳🌳` })).toBe(`${"x".repeat(159)}…`);
  expect(formatTitle({ prompt: `x${" ".repeat(638)}🌳🌳` })).toBe("x");
});
