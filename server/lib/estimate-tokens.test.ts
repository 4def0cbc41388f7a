import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "../../test/soak";
import { createTokenCounter, estimateTokens, estimateTokensOf } from "./estimate-tokens";

const texts: Record<string, string> = {
  prose: readFileSync("docs/chat.md", "utf8"),
  code: readFileSync("server/domain/generations/end/finish.ts", "utf8"),
  JSON: readFileSync("package.json", "utf8"),
  "JSON without spaces": JSON.stringify(JSON.parse(readFileSync("test/agents/recorded/codex.json", "utf8"))),
  base64: readFileSync("package.json").toString("base64"),
  German:
    "Der Leuchtturm sieht das Meer, die Schiffe und die Küstenbewohner. Bundesverfassungsgericht und " +
    "Straßenverkehrsordnung sind zusammengesetzte Wörter.",
  Russian: "Маяк смотрит на море и корабли. В прошлом году мы ездили на побережье, где волны были очень высокими.",
  Chinese: "灯塔看着大海和船只。去年夏天我们去了海边，那里的海浪非常高。",
  Japanese: "灯台は海と船を見ています。昨年の夏、私たちは海岸に行きました。",
  Arabic: "المنارة تنظر إلى البحر والسفن. في الصيف الماضي ذهبنا إلى الشاطئ حيث كانت الأمواج عالية جدا.",
  digits: "3.14159265358979323846264338327950288419716939937510",
};

test.each(Object.entries(texts))("counts %s like a tokenizer, or slightly more", async (_name, text) => {
  const exact = countTokens(text);
  const counter = createTokenCounter();
  for (let start = 0; start < text.length; start += 3) counter.push(text.slice(start, start + 3));
  for (const counted of [estimateTokens(text), await estimateTokensOf([text]), counter.count()]) {
    expect(counted / exact).toBeGreaterThan(0.8);
    expect(counted / exact).toBeLessThan(1.35);
  }
});

/** Alphabets, each with the smallest share of its tokens that the estimate of a random text may be. */
const alphabets: [name: string, alphabet: string, least: number][] = [
  ["lower-case letters", "abcdefghijklmnopqrstuvwxyz", 0.85],
  ["capitals", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.85],
  ["consonants", "bcdfghjklmnpqrstvwxz", 0.85],
  ["both cases", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.85],
  ["letters and spaces", "abcdefghijklmnopqrstuvwxyz      ", 0.85],
  ["base64", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/", 0.85],
  ["digits and spaces", "0123456789 ", 0.85],
  ["signs", "!@#$%^&*()_+-=[]{};':,./<>?|~", 0.85],
  ["bases of DNA", "ACGT", 0.8],
  ["Cyrillic", "абвгдежзийклмнопрстуфхцчшщъыьэюя", 0.4],
  ["Ethiopic", "ሀሁሂለሉሊሐሑሒመሙሚሠሡሢረሩሪ", 0.85],
  ["Cherokee", "ᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫ", 0.6],
  ["rare ideographs", "㐀㐁㐂㐃㐄㐅㐆㐇㐈㐉", 0.85],
  ["arrows", "←↑→↓↔↕↖↗↘↙↚↛↜↝↞↟", 0.6],
];

test.each(alphabets)("never counts random %s far below their tokens", (_name, alphabet, least) => {
  const letters = [...alphabet];
  const text = fc.sample(fc.constantFrom(...letters), { seed, numRuns: 2_000 }).join("");
  const ratio = estimateTokens(text) / countTokens(text);
  expect(ratio).toBeGreaterThan(least);
  expect(ratio).toBeLessThan(1.6);
});

test.each([
  ["one letter", "a".repeat(1_000_000)],
  ["spaces", " ".repeat(1_000_000)],
  ["letters of another script", "é".repeat(1_000_000)],
])("takes linear time for a million times %s", (_name, text) => {
  const startedAt = performance.now();
  estimateTokens(text);
  // Quadratic time would take minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test("counts a text that arrives letter by letter, or in one long piece", () => {
  const counter = createTokenCounter();
  for (const letter of "a lighthouse at dawn") counter.push(letter);
  expect(counter.count()).toBe(5);
  counter.push(" " + "x".repeat(30_000));
  expect(counter.count()).toBe(5 + 30_000 / 8);
});
