import { describe, expect, test } from "vitest";
import { runAtOnce } from "../../lib/slices";
import { isStorable } from "../../lib/json/storable";
import { mayHoldSecret, redactLine, redactProvider } from "./redact";

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
    expect(redactProvider(answer, { apiKey: KEY, baseUrl: null })).toEqual({
      a: "Bearer […], twice […]",
      "[…]": [{ deep: "x[…]" }],
      rest: "café",
    });
  });

  test.each([KEY, "\\u0041", "\\/"])("is searched for in all of a long text: %s", (found) => {
    const search = (text: string) => runAtOnce(mayHoldSecret(Buffer.from(text), { apiKey: KEY, baseUrl: null }));
    const piece = 64 * 1024;
    for (let before = piece - KEY.length - 2; before <= piece + 2; before += 1)
      expect(search("x".repeat(before) + found + "x".repeat(piece))).toBe(true);
    expect(search('\\"'.repeat(piece))).toBe(false);
  });

  test.each([["ollama"], [null]])("is left when it may be a word: %s", (apiKey) => {
    expect(redactProvider("I am ollama, null", { apiKey, baseUrl: null })).toBe("I am ollama, null");
  });

  test("does not match similar texts", () => {
    const answer = { a: KEY.slice(0, -1), b: KEY.replace(".", "x"), c: KEY.toLowerCase() };
    expect(redactProvider(answer, { apiKey: KEY, baseUrl: null })).toEqual(answer);
  });
});

describe("the address of a provider in a response", () => {
  const redacted = (text: string, baseUrl: string) => redactProvider({ [text]: [text] }, { apiKey: null, baseUrl });
  test.each([
    ["http://10.1.2.3:8000/v1", "Host: 10.1.2.3:8000", "Host: […]"],
    ["http://10.1.2.3:8000/v1", "at 10.1.2.3", "at […]"],
    ["http://gpu:8000/v1", "Host: gpu:8000", "Host: […]"],
    ["http://127.0.0.1:8000/v1", "Host: 127.0.0.1:8000", "Host: […]"],
    ["https://llm.corp.example/v1", "llm.corp.example", "[…]"],
  ])("of %s is removed from %s", (baseUrl, text, expected) => {
    expect(redacted(text, baseUrl)).toEqual({ [expected]: [expected] });
  });

  test.each([
    ["http://gpu:8000/v1", "a gpu on port 8000"],
    ["https://api.openai.com/v1", "Call api.openai.com."],
    ["http://127.0.0.1:8000/v1", "Call 127.0.0.1 or localhost."],
    ["http://gpu/v1", "a gpu"],
  ])("of %s is left in %s", (baseUrl, text) => {
    expect(redacted(text, baseUrl)).toEqual({ [text]: [text] });
  });
});

describe("a line for customers", () => {
  test("is cut at no place within a pair of surrogates", () => {
    for (let before = 0; before <= 1_000; before += 1) {
      const line = redactLine(`${"x ".repeat(before / 2)}${"x".repeat(before % 2)}${"🦊".repeat(600)}`);
      expect(isStorable(line), `${before} characters before it`).toBe(true);
      expect(line.length).toBeGreaterThanOrEqual(499);
      expect(line.length).toBeLessThanOrEqual(500);
    }
  });

  test.each([
    ["half a pair", "a\ud83d b\udd8a c"],
    ["a NUL", "a\0 b\0\0 c"],
  ])("has no %s", (_, text) => {
    expect(redactLine(text)).toBe("a  b  c");
  });
});
