import { expect, test } from "vitest";
import { encrypt, deriveEncryptionKey, decrypt } from "./encryption";

const key = deriveEncryptionKey("a secret", "a purpose");

test("what was sealed opens for its key and owner, and looks different every time", () => {
  for (const text of ["", "whsec_abc", "grüß 🌲"]) expect(decrypt(key, "me", encrypt(key, "me", text))).toBe(text);
  expect(encrypt(key, "me", "text").equals(encrypt(key, "me", "text"))).toBe(false);
  expect(encrypt(key, "me", "a text to hide").includes("hide")).toBe(false);
});

test("another key, another purpose, another owner, a flipped bit or a cut tail do not open it", () => {
  const sealed = encrypt(key, "me", "text");
  expect(() => decrypt(deriveEncryptionKey("another secret", "a purpose"), "me", sealed)).toThrow();
  expect(() => decrypt(deriveEncryptionKey("a secret", "another purpose"), "me", sealed)).toThrow();
  expect(() => decrypt(key, "you", sealed)).toThrow();
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const flipped = Buffer.from(sealed);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => decrypt(key, "me", flipped)).toThrow();
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => decrypt(key, "me", sealed.subarray(0, length))).toThrow();
  }
});
