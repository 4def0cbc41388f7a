import { expect, test } from "vitest";
import { createAccount } from "../../server/domain/people/create-account";
import { hashPassword } from "../../server/domain/passwords/password";
import { requestReset } from "../../server/domain/passwords/request-reset";
import { resetPassword } from "../../server/domain/recovery/reset-password";
import { signUp } from "../../server/domain/signup/sign-up";
import { findKey } from "../../server/domain/credentials/authenticate";
import { createKey } from "../../server/domain/keys/create";
import { signIn } from "../../server/domain/sessions/sign-in";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { openMailServer } from "../mail-server";

const mail = await openMailServer();
const hub = await testHub({
  SMTP_URL: mail.url,
  BASE_URL: "https://hub.example",
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "5",
});
const password = "another horse";
let count = 0;

async function createUser(verified: boolean) {
  const email = `reset-${(count += 1)}@example.org`;
  const passwordHash = await hashPassword("correct horse");
  return { email, id: await createAccount(hub, { email, passwordHash, verified }) };
}
async function linkFor(email: string) {
  const before = mail.received.length;
  await requestReset(hub, email, null);
  await expect.poll(() => mail.received.length).toBe(before + 1);
  const { to, text } = mail.received.at(-1)!;
  expect(to).toEqual([email]);
  expect(text).toContain("From: Generation Hub <no-reply@hub.example>");
  return /https:\/\/hub\.example\/reset-password\?token=([\w-]{43})/.exec(text)![1]!;
}
const isUsed = { extras: { errors: { token: [expect.stringContaining("request a new one")] } } };

test("a reset link sets a new password once, and its token is not stored in plain text", async () => {
  const { email } = await createUser(true);
  const token = await linkFor(email);
  expect(JSON.stringify(await hub.db.query("SELECT encode(hash, 'base64'), * FROM password_reset"))).not.toContain(
    token,
  );
  await expect(resetPassword(hub, { token, password: "short" }, null)).rejects.toMatchObject({ code: "invalid_input" });
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => resetPassword(hub, { token, password }, null)),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toMatchObject([{ value: { email, revokedKeys: 0 } }]);
  await expect(resetPassword(hub, { token, password }, null)).rejects.toMatchObject(isUsed);
  expect(await signIn(hub, { email, password }, null)).not.toBeNull();
  expect(await signIn(hub, { email, password: "correct horse" }, null)).toBeNull();
});

test("a reset link expires after an hour, or with the next one", async () => {
  const { email } = await createUser(true);
  const first = await linkFor(email);
  const sent = mail.received.length;
  await requestReset(hub, email, null);
  hub.clock.advance(61_000);
  const second = await linkFor(email);
  expect(mail.received.length).toBe(sent + 1);
  await expect(resetPassword(hub, { token: first, password }, null)).rejects.toMatchObject(isUsed);
  hub.clock.advance(3_600_000);
  await expect(resetPassword(hub, { token: second, password }, null)).rejects.toMatchObject(isUsed);
});

test("an unknown or suspended address gets the same response and no e-mail", async () => {
  const { email, id } = await createUser(true);
  await hub.db.query("UPDATE account SET suspended = true WHERE id = $1", [id]);
  const before = mail.received.length;
  expect(await requestReset(hub, email, null)).toBeUndefined();
  expect(await requestReset(hub, "nobody@example.org", null)).toBeUndefined();
  expect(await requestReset(hub, "no address", null)).toBeUndefined();
  const { email: last } = await createUser(true);
  await linkFor(last);
  expect(mail.received.length).toBe(before + 1);
});

test("the first reset of an unverified address revokes the account's keys, and later resets do not", async () => {
  const { email, id } = await createUser(false);
  const { key } = await createKey(hub, id, { name: "somebody's" });
  expect(await resetPassword(hub, { token: await linkFor(email), password }, null)).toMatchObject({
    email,
    revokedKeys: 1,
  });
  expect(await findKey(hub, key)).toMatchObject({ rejection: "revoked" });
  const { key: own } = await createKey(hub, id, { name: "own" });
  hub.clock.advance(61_000);
  expect(await resetPassword(hub, { token: await linkFor(email), password }, null)).toMatchObject({
    email,
    revokedKeys: 0,
  });
  expect(await findKey(hub, own)).toMatchObject({ rejection: null });
});

test("limits requests, guesses and sign-ups by address", async () => {
  const tries = [
    (address: string) => requestReset(hub, "nobody@example.org", address),
    (address: string) =>
      resetPassword(hub, { token: "x", password }, address).catch((error: { code: string }) => {
        if (error.code === "rate_limited") throw error;
      }),
    (address: string) =>
      signUp(hub, { email: "nobody", password: "x" }, address).catch((error: { code: string }) => {
        if (error.code === "rate_limited") throw error;
      }),
  ];
  for (const [index, attempt] of tries.entries()) {
    const address = `198.51.100.${index}`;
    for (let times = 0; times < 5; times += 1) await attempt(address);
    await expect(attempt(address)).rejects.toMatchObject({ code: "rate_limited" });
  }
});

test("responds before it looks up the address, so that the response time reveals nothing", async () => {
  const known = await createUser(true);
  const never = deriveHub(hub, { db: { ...hub.db, query: () => new Promise<never>(() => undefined) } });
  for (const email of [known.email, "nobody@example.org"]) {
    expect(await requestReset(never, email, null)).toBeUndefined();
  }
});

test("a mail server that is down causes no error for the caller", async () => {
  const unreachable = await testHub({ SMTP_URL: "smtp://127.0.0.1:9" });
  await createAccount(unreachable, { email: "away@example.org" });
  expect(await requestReset(unreachable, "away@example.org", null)).toBeUndefined();
});
