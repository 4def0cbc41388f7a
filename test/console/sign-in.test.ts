import { expect, test } from "vitest";
import { createAccount } from "../../server/domain/accounts/create";
import { changePassword } from "../../server/domain/accounts/change-password";
import { setPassword } from "../../server/domain/accounts/set-password";
import { signUp } from "../../server/domain/accounts/sign-up";
import { suspendAccount } from "../../server/domain/accounts/suspend";
import { beginSession } from "../../server/domain/sessions/begin";
import { openSession } from "../../server/domain/sessions/open";
import { signIn, type SignedIn } from "../../server/domain/sessions/sign-in";
import { findByIdentity, signInByIdentity } from "../../server/domain/sessions/sign-in-by-identity";
import { contextOf } from "../../server/context";
import type { SessionClaims } from "../../server/lib/session-token";
import { testHub } from "../hub";

const hub = await testHub({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "20" });
let count = 0;
const password = "correct horse";
const newAddress = () => `192.0.2.${(count += 1)}`;
const newEmail = () => `person-${(count += 1)}@example.org`;
async function newPerson() {
  const email = newEmail();
  await signUp(hub, { email, password }, newAddress());
  return email;
}
async function begin(signed: SignedIn) {
  const now = Math.floor(hub.now().getTime() / 1000);
  return { sessionId: (await beginSession(hub, signed, "Test"))!, began: now, seen: now };
}
const isOpen = async (session: SessionClaims) => (await openSession(hub, session)) !== null;

test("the right password signs in, however the address is written; nothing else does", async () => {
  const email = await newPerson();
  expect(await signIn(hub, { email: ` ${email.toUpperCase()} `, password }, newAddress())).toMatchObject({ email });
  for (const wrong of ["", "Correct horse", `${password} `, "x".repeat(100_000)]) {
    expect(await signIn(hub, { email, password: wrong }, newAddress())).toBeNull();
  }
  expect(await signIn(hub, { email: "nobody@example.org", password }, newAddress())).toBeNull();
  const bare = newEmail();
  await createAccount(hub, { email: bare });
  expect(await signIn(hub, { email: bare, password: "the password of nobody" }, newAddress())).toBeNull();
  await suspendAccount(hub, email, true);
  expect(await signIn(hub, { email, password }, newAddress())).toBeNull();
});

test("an account takes ten wrong passwords a minute, from wherever they come, and a right one costs nothing", async () => {
  const email = await newPerson();
  for (let times = 0; times < 30; times += 1)
    expect(await signIn(hub, { email, password }, newAddress())).not.toBeNull();
  const guesses = await Promise.allSettled(
    Array.from({ length: 30 }, () => signIn(hub, { email, password: "guess" }, newAddress())),
  );
  expect(guesses.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  await expect(signIn(hub, { email, password }, newAddress())).rejects.toMatchObject({
    code: "rate_limited",
    headers: { "Retry-After": expect.stringMatching(/^\d+$/) as string },
  });
  hub.clock.advance(7_000);
  expect(await signIn(hub, { email, password }, newAddress())).not.toBeNull();
});

test("an address takes as many failures as the operator allows, at whichever account", async () => {
  const email = await newPerson();
  const address = newAddress();
  const guess = () => signIn(hub, { email: newEmail(), password: "guess" }, address);
  for (let times = 0; times < 20; times += 1) expect(await guess()).toBeNull();
  await expect(guess()).rejects.toMatchObject({ code: "rate_limited" });
  await expect(signIn(hub, { email, password }, address)).rejects.toMatchObject({ code: "rate_limited" });
  expect(await signIn(hub, { email, password }, newAddress())).not.toBeNull();
});

test("a new password ends every session, and takes the current one to set", async () => {
  const email = await newPerson();
  const session = await begin((await signIn(hub, { email, password }, null))!);
  const { account } = (await openSession(hub, session))!;
  const ctx = contextOf(hub, account, { kind: "user" }, "test");
  await expect(changePassword(ctx, { current: "guess", password: "another horse" })).rejects.toMatchObject({
    extras: { errors: { current: ["is not your password"] } },
  });
  await expect(changePassword(ctx, { current: password, password: "short" })).rejects.toMatchObject({
    code: "invalid_input",
  });
  expect(await isOpen(session)).toBe(true);
  await changePassword(ctx, { current: password, password: "another horse" });
  expect(await isOpen(session)).toBe(false);
  expect(await signIn(hub, { email, password }, null)).toBeNull();
  const again = await begin((await signIn(hub, { email, password: "another horse" }, null))!);
  expect(await isOpen(again)).toBe(true);
  await setPassword(hub, email, "the operator's");
  expect(await isOpen(again)).toBe(false);
});

test("sign-up makes an account once, with nothing on it, where it is open", async () => {
  const email = newEmail();
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => signUp(hub, { email, password }, newAddress())),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const faults: [object, string][] = [
    [{ email, password }, "email"],
    [{ email: "nobody", password }, "email"],
    [{ email: newEmail(), password: "seven77" }, "password"],
  ];
  for (const [request, place] of faults) {
    await expect(signUp(hub, request as { email: string; password: string }, newAddress())).rejects.toMatchObject({
      extras: { errors: { [place]: [expect.any(String)] } },
    });
  }
  const closed = await testHub({ SIGN_UP: "closed" });
  await expect(signUp(closed, { email: newEmail(), password }, null)).rejects.toMatchObject({ code: "invalid_input" });
});

test("another service opens the account of an address that both have proved, or a new one, or none", async () => {
  const identity = (subject: string, verifiedEmail: string | null) => ({ provider: "oidc", subject, verifiedEmail });
  const email = newEmail();
  expect(await signInByIdentity(hub, identity("1", null))).toBe("unverified");
  const both = await Promise.all([1, 2, 3].map(() => signInByIdentity(hub, identity("1", email))));
  expect(both).toEqual(["welcome", "welcome", "welcome"]);
  expect(await findByIdentity(hub, identity("1", null))).toMatchObject({ email });
  // Its address may change there; the account stays.
  expect(await signInByIdentity(hub, identity("1", newEmail()))).toBe("welcome");
  expect(await signInByIdentity(hub, { ...identity("1", email), provider: "github" })).toBe("welcome");

  const unproved = await newPerson();
  expect(await signInByIdentity(hub, identity("2", unproved))).toBe("taken");
  expect(await findByIdentity(hub, identity("2", unproved))).toBeNull();

  await suspendAccount(hub, email, true);
  expect(await signInByIdentity(hub, identity("1", email))).toBe("suspended");
  expect(await findByIdentity(hub, identity("1", email))).toBeNull();

  const closed = await testHub({ SIGN_UP: "closed" });
  expect(await signInByIdentity(closed, identity("1", newEmail()))).toBe("closed");
  const known = newEmail();
  await createAccount(closed, { email: known, verified: true });
  expect(await signInByIdentity(closed, identity("1", known))).toBe("welcome");
});
