import { readFileSync } from "node:fs";
import { decode, encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { createTokenCounter } from "./estimate-tokens";
import { countPieces, minTokensOf } from "./min-tokens";

const read = (path: string) => readFileSync(path, "utf8");

/** What models write, with the smallest share of its tokens that the bound may be. */
const texts: [name: string, text: string, least: number][] = [
  ["prose", read("docs/chat.md"), 0.5],
  ["code", read("server/domain/generations/end/settle-chat.ts"), 0.5],
  ["JSON", JSON.stringify(JSON.parse(read("test/agents/recorded/codex.json"))), 0.5],
  ["capitals", "THE SOFTWARE IS PROVIDED AS IS, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED. ".repeat(20), 0.5],
  ["constants", "MAX_VALUE DEFAULT_TIMEOUT HTTP_STATUS_CODE ENVIRONMENT_VARIABLE ".repeat(20), 0.5],
  ["SQL", "SELECT COUNT(*) FROM CUSTOMERS WHERE NAME LIKE 'A%' GROUP BY CUSTOMER_ID;\n".repeat(20), 0.5],
  ["HTML", '<div class="container"><p>Hello</p></div>\n'.repeat(50), 0.5],
  ["long words", "internationalization responsibilities telecommunications ".repeat(50), 0.45],
  ["short words", "no, it isn't: I'd say so. ".repeat(50), 0.5],
  ["rules", `${"=".repeat(80)}\n${"-".repeat(60)}\n`.repeat(50), 0.3],
  ["a table", `|${"-".repeat(30)}|${"-".repeat(50)}|\n| one | two |\n`.repeat(50), 0.1],
  ["indentation", `${" ".repeat(40)}return;\n\n`.repeat(50), 0.3],
  ["digits", "3.14159265358979323846264338327950288419716939937510".repeat(9), 0.5],
  ["hexadecimal digits", readFileSync("package.json").toString("hex"), 0.5],
  ["base64", readFileSync("package.json").toString("base64"), 0.1],
  ["Thai", "ประภาคารมองเห็นทะเลและเรือ เมื่อฤดูร้อนปีที่แล้วเราไปที่ชายหาดซึ่งมีคลื่นสูงมาก ".repeat(9), 0.3],
  ["Vietnamese", "Ngọn hải đăng nhìn ra biển và những con tàu, nơi sóng rất cao. ".repeat(9), 0.3],
  ["Chinese", "中华人民共和国全国人民代表大会常务委员会。灯塔看着大海和船只。".repeat(9), 0.1],
  ["Japanese", "灯台は海と船を見ています。ありがとうございます。".repeat(9), 0.1],
  ["emoji", "😀🎉🔥 done ✅\n".repeat(50), 0.1],
  ["one letter", "a".repeat(4_000), 0.1],
];

test.each(texts)("of %s is never more than its tokens", (_name, text, least) => {
  const tokens = encode(text);
  const counter = createTokenCounter(countPieces);
  for (const token of tokens) counter.push(decode([token]));
  for (const pieces of [countPieces(text), counter.count()]) {
    expect(minTokensOf(pieces) / tokens.length).toBeLessThanOrEqual(0.75);
    expect(minTokensOf(pieces) / tokens.length).toBeGreaterThan(least);
  }
});

// The model has made plain letters.
test("of arguments whose letters a server has escaped is never more than the tokens of the letters", () => {
  const text = "灯塔看着大海和船只";
  const escaped = Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16)}`).join("");
  expect(minTokensOf(countPieces(escaped))).toBeLessThanOrEqual(encode(text).length);
});

test.each([
  ["letters", "a"],
  ["spaces", " "],
  ["signs", "="],
  ["backslashes", "\\u"],
])("takes linear time for a million %s", (_name, text) => {
  const startedAt = performance.now();
  countPieces(text.repeat(1_000_000));
  // Quadratic time would take minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
