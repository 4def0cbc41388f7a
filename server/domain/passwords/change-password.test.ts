import { verify } from "@node-rs/argon2";
import { beforeAll, expect, test } from "vitest";
import { testHub } from "../../../test/hub";
import type { Hub } from "../hub";
import { getPerson } from "../people/person";
import { createAccount } from "../people/create-account";
import { setPassword } from "./change-password";
import { testOperator } from "../../../test/operator";

let hub: Hub;
beforeAll(async () => {
  hub = await testHub();
  await createAccount(hub, { email: "anna@example.org" });
});

test("stores a hash and never the password", async () => {
  await setPassword(hub, testOperator, "Anna@example.org", "correct horse");
  const { passwordHash } = await getPerson(hub, "anna@example.org");
  expect(passwordHash).toMatch(/^\$argon2id\$/);
  expect(await verify(passwordHash!, "correct horse")).toBe(true);
  expect(await verify(passwordHash!, "correct horsE")).toBe(false);
});

test.each(["seven77", "x".repeat(257)])("rejects a password of invalid length", async (password) => {
  await expect(setPassword(hub, testOperator, "anna@example.org", password)).rejects.toMatchObject({
    code: "invalid_input",
  });
});

test("reports an unknown person", async () => {
  await expect(setPassword(hub, testOperator, "nobody@example.org", "correct horse")).rejects.toMatchObject({
    code: "resource_not_found",
  });
});
