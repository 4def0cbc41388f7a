import { expect, test } from "vitest";
import { compareInputs } from "./compare-inputs";

const said = (content: unknown) => [{ role: "user", content }];

test("divides what differs into texts and other parameters, the prompt first", () => {
  const { texts, others } = compareInputs(
    { style: "old and warm", prompt: "a mug", resolution: "1k", seed: 7, image_input: ["a"] },
    { style: "new and cold", prompt: "a cup", resolution: "1k", image_input: ["b"], format: "webp" },
  );
  expect(texts.map(({ name }) => name)).toEqual(["prompt", "style"]);
  expect(others).toEqual([
    { name: "seed", before: 7, after: undefined },
    { name: "image_input", before: ["a"], after: ["b"] },
    { name: "format", before: undefined, after: "webp" },
  ]);
});

test("compares the messages of chats as one text", () => {
  const { texts, others } = compareInputs({ messages: said("Hello") }, { messages: said([{ type: "text", text: "Hi" }]) }); // prettier-ignore
  expect(texts).toEqual([{ name: "messages", before: "user: Hello", after: 'user: [{"type":"text","text":"Hi"}]' }]);
  expect(others).toEqual([]);
});

test("compares three texts at most word by word", () => {
  const input = (word: string) => Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`p${n}`, `${word} ${n}`]));
  const { texts, others } = compareInputs(input("a"), input("b"));
  expect([texts.length, others.length]).toEqual([3, 2]);
});
