import { expect, test } from "vitest";
import { parseSearch } from "./parse-search";
import { collectWords, splitWords } from "./search-words";

test("splits a text into words of any script, in lower case and each once", () => {
  expect(splitWords("A red fox, THE red-Fox’s den/2")).toEqual(["a", "red", "fox", "the", "s", "den", "2"]);
  expect(splitWords("Überfahrt nach Malmö ﬁn")).toEqual(["überfahrt", "nach", "malmö", "fin"]);
  expect(splitWords("sea灯台 灯")).toEqual(["sea", "灯", "台"]);
  expect(splitWords("' & | ! :* \\")).toEqual([]);
  expect(splitWords("x".repeat(100))).toEqual(["x".repeat(40)]);
});

test("collects the words of every text of an input, but no URLs, hashes or roles", () => {
  const input = {
    image_input: ["https://example.org/boat.png", `sha256:${"a".repeat(64)}`],
    style: { name: "etching" },
    steps: 30,
    prompt: "a boat",
  };
  expect(collectWords(7, input)).toEqual(["7:a", "7:boat", "7:etching"]);
  const messages = [
    { role: "user", content: "old question" },
    { role: "user", content: [{ type: "text", text: "newest" }] },
  ];
  expect(collectWords(7, { messages })).toEqual(["7:newest", "7:old", "7:question"]);
});

test("bounds what it reads of an input, the prompt and the last messages first", () => {
  const messages = Array.from({ length: 5_000 }, (_, n) => ({ role: "user", content: `question ${n}` }));
  const words = collectWords(7, { other: "z ".repeat(100_000), messages, prompt: "first" });
  expect(words.slice(0, 2)).toEqual(["7:first", "7:z"]);
  expect(collectWords(7, { messages }).slice(0, 3)).toEqual(["7:question", "7:4999", "7:4998"]);
  expect(collectWords(7, { messages })).toHaveLength(200);
  expect(collectWords(7, {})).toEqual([]);
});

test("a search is for an id, or for words of which the last may be incomplete", () => {
  const id = "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10";
  expect(parseSearch(7, ` ${id.toUpperCase()} `, undefined)).toEqual({ id: id.toUpperCase() });
  expect(parseSearch(7, "Red 'fox", undefined)).toEqual({ words: "'7:red' & '7:fox':*", hasPairs: false });
});
