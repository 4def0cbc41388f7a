import { describe, expect, test } from "vitest";
import { redactKey } from "./redact";

const KEY = "sk-A1/b+c.d_0123456789";
const hex = (character: string, upper = false) => {
  const digits = character.charCodeAt(0).toString(16).padStart(4, "0");
  return `\\u${upper ? digits.toUpperCase() : digits}`;
};

describe("a key in a response", () => {
  test.each([
    ["as it is", KEY],
    ["with escaped slashes", KEY.replaceAll("/", "\\/")],
    ["in escapes alone", [...KEY].map((character) => hex(character)).join("")],
    ["in escapes here and there", [...KEY].map((one, index) => (index % 3 === 0 ? hex(one, true) : one)).join("")],
  ])("is removed from texts and names, written %s", (_, written) => {
    const json = `{"a":"Bearer ${written}, twice ${written}","${written}":[{"deep":"x${written}"}],"rest":"caf\\u00e9"}`;
    const answer = JSON.parse(json) as unknown;
    expect(answer).toMatchObject({ [KEY]: [{ deep: `x${KEY}` }] });
    expect(redactKey(answer, KEY)).toEqual({
      ...{ a: "Bearer […], twice […]", "[…]": [{ deep: "x[…]" }], rest: "café" },
    });
  });

  test.each([["ollama"], [null]])("is left when it may be a word: %s", (apiKey) => {
    expect(redactKey("I am ollama, null", apiKey)).toBe("I am ollama, null");
  });

  test("does not match similar texts", () => {
    const answer = { a: KEY.slice(0, -1), b: KEY.replace(".", "x"), c: KEY.toLowerCase() };
    expect(redactKey(answer, KEY)).toEqual(answer);
  });
});
