import { expect, test } from "vitest";
import { seal, sealingKey, unseal } from "./seal";

const key = sealingKey("a secret", "a purpose");

test("what was sealed opens for its key and owner, and looks different every time", () => {
  for (const text of ["", "whsec_abc", "grüß 🌲"]) expect(unseal(key, "me", seal(key, "me", text))).toBe(text);
  expect(seal(key, "me", "text").equals(seal(key, "me", "text"))).toBe(false);
  expect(seal(key, "me", "a text to hide").includes("hide")).toBe(false);
});

test("another key, another purpose, another owner, a flipped bit or a cut tail do not open it", () => {
  const sealed = seal(key, "me", "text");
  expect(() => unseal(sealingKey("another secret", "a purpose"), "me", sealed)).toThrow();
  expect(() => unseal(sealingKey("a secret", "another purpose"), "me", sealed)).toThrow();
  expect(() => unseal(key, "you", sealed)).toThrow();
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const flipped = Buffer.from(sealed);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => unseal(key, "me", flipped)).toThrow();
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => unseal(key, "me", sealed.subarray(0, length))).toThrow();
  }
});
