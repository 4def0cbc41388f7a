import { expect, test } from "vitest";
import { hashSecret, isSecret, newSecret, getSecretPrefix } from "./secret";

test("new secrets are valid and unique", () => {
  const secrets = Array.from({ length: 1_000 }, newSecret);
  expect(secrets.every((secret) => isSecret(secret))).toBe(true);
  expect(new Set(secrets).size).toBe(1_000);
  expect(secrets[0]).toMatch(/^service_sk_[0-9A-Za-z]{39}$/);
  expect(getSecretPrefix(secrets[0]!)).toHaveLength(17);
});

test("a secret with one wrong character is rejected without a query", () => {
  const secret = newSecret();
  for (let at = 0; at < secret.length; at += 1) {
    const wrong = secret[at] === "a" ? "b" : "a";
    expect(isSecret(secret.slice(0, at) + wrong + secret.slice(at + 1)), String(at)).toBe(false);
  }
  for (const text of ["", "service_sk_", secret.slice(1), `${secret}x`, ` ${secret}`, secret.toLowerCase()])
    expect(isSecret(text)).toBe(false);
});

test("the stored hash does not reveal the secret", () => {
  const secret = newSecret();
  expect(hashSecret(secret)).toHaveLength(32);
  expect(hashSecret(secret).toString("latin1")).not.toContain(secret.slice(11, 20));
});
