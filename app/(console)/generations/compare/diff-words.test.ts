import { expect, test } from "vitest";
import { type Change, diffWords } from "./diff-words";

const show = (changes: Change[]) =>
  changes.map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind]).join("");

test.each([
  ["a red mug on white", "a blue mug on white", "a [-red-]{+blue+} mug on white"],
  ["a red mug", "a mug", "a [-red -]mug"],
  ["a mug", "a mug, lit from above", "a mug{+, lit from above+}"],
  ["red and old", "blue but new", "[-red and old-]{+blue but new+}"],
  ["", "a mug", "{+a mug+}"],
  ["a mug", "a mug", "a mug"],
  ["ein Krug über Äpfeln", "ein Krug unter Äpfeln", "ein Krug [-über-]{+unter+} Äpfeln"],
])("%j became %j", (before, after, shown) => {
  expect(show(diffWords(before, after))).toBe(shown);
});

const words = (count: number, seed: number) =>
  Array.from({ length: count }, (_, n) => `w${(n * seed) % 997}`).join(" ");

test.each([
  ["like each other", words(240, 7), words(240, 11)],
  ["too different", words(10_000, 7), words(10_000, 11)],
  ["too long", words(40_000, 7), words(40_000, 11)],
  ["of long words", `${"x".repeat(49_000)} a`, `${"x".repeat(49_000)}y b`],
])("shows all of both texts that are %s, without blocking other requests", (_, before, after) => {
  let changes: Change[] = [];
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    changes = diffWords(before, after);
    return performance.now() - start;
  });
  // The fastest, because other tests share the machine.
  expect(Math.min(...times)).toBeLessThan(50);
  const textOf = (other: Change["kind"]) => changes.filter(({ kind }) => kind !== other).map(({ text }) => text).join(""); // prettier-ignore
  expect([textOf("added"), textOf("removed")]).toEqual([before, after]);
});
