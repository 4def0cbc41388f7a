import { expect, test } from "vitest";
import { encrypt, deriveEncryptionKey, decrypt } from "./encryption";

const key = deriveEncryptionKey("a secret", "a purpose");

test("decrypts for the same key and owner, and encrypts differently every time", () => {
  for (const text of ["", "whsec_abc", "grüß 🌲"]) expect(decrypt(key, "me", encrypt(key, "me", text))).toBe(text);
  expect(encrypt(key, "me", "text").equals(encrypt(key, "me", "text"))).toBe(false);
  expect(encrypt(key, "me", "a text to hide").includes("hide")).toBe(false);
});

test("does not decrypt with another key, purpose or owner, a flipped bit or a truncated text", () => {
  const encrypted = encrypt(key, "me", "text");
  expect(() => decrypt(deriveEncryptionKey("another secret", "a purpose"), "me", encrypted)).toThrow();
  expect(() => decrypt(deriveEncryptionKey("a secret", "another purpose"), "me", encrypted)).toThrow();
  expect(() => decrypt(key, "you", encrypted)).toThrow();
  for (let bit = 0; bit < encrypted.length * 8; bit += 1) {
    const flipped = Buffer.from(encrypted);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => decrypt(key, "me", flipped)).toThrow();
  }
  for (let length = 0; length < encrypted.length; length += 1) {
    expect(() => decrypt(key, "me", encrypted.subarray(0, length))).toThrow();
  }
});
