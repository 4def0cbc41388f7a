import { beforeEach, expect, test } from "vitest";
import type { Db } from "../../server/db/client";
import { getAccount, suspendAccount } from "../../server/domain/accounts/account";
import { createAccount } from "../../server/domain/people/create-account";
import { signOutEverywhere } from "../../server/domain/people/person";
import { changePassword, setPassword } from "../../server/domain/passwords/change-password";
import { beginSession } from "../../server/domain/sessions/session";
import { signUp } from "../../server/domain/signup/sign-up";
import { resolveSession } from "../../server/domain/sessions/resolve-session";
import { signIn, type SignedIn } from "../../server/domain/sessions/sign-in";
import { bindIdentities, findByIdentity } from "../../server/domain/identities/identity";
import { signInByIdentity } from "../../server/domain/signup/sign-in-by-identity";
import { type Device, deviceCookie, readDevice } from "../../server/lib/device-token";
import type { SessionClaims } from "../../server/lib/session-token";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { testOperator } from "../operator";

const hub = await testHub({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "20" });
const closed = deriveHub(hub, { env: { ...hub.env, SIGN_UP: "closed" } });
// On a busy machine, hashing takes longer than the hub remembers a wrong password.
beforeEach(() => hub.clock.freeze());
let count = 0;
const password = "correct horse";
const newAddress = () => `192.0.2.${(count += 1)}`;
const newEmail = () => `person-${(count += 1)}@example.org`;
async function createUser() {
  const email = newEmail();
  await signUp(hub, { email, password }, newAddress());
  return email;
}
async function begin(signed: SignedIn) {
  const now = Math.floor(hub.now().getTime() / 1000);
  return { sessionId: (await beginSession(hub, signed, "Test"))!, began: now, seen: now };
}
const isOpen = async (session: SessionClaims) => (await resolveSession(hub, session)) !== null;

test("signs in with the right password, however the address is written, and rejects everything else", async () => {
  const email = await createUser();
  expect(await signIn(hub, { email: ` ${email.toUpperCase()} `, password }, newAddress())).toMatchObject({ email });
  for (const wrong of ["", "Correct horse", `${password} `, "x".repeat(100_000)]) {
    expect(await signIn(hub, { email, password: wrong }, newAddress())).toBeNull();
  }
  expect(await signIn(hub, { email: "nobody@example.org", password }, newAddress())).toBeNull();
  const withoutCookie = newEmail();
  await createAccount(hub, { email: withoutCookie });
  expect(await signIn(hub, { email: withoutCookie, password: "a dummy password" }, newAddress())).toBeNull();
  await suspendAccount(hub, testOperator, { id: (await getAccount(hub, email)).id, suspended: true });
  expect(await signIn(hub, { email, password }, newAddress())).toBeNull();
});

/** Sends guesses at once, and returns how many were checked. */
async function guess(email: string, times: number, address: () => string, device: Device | null = null) {
  const guesses = Array.from({ length: times }, () => signIn(hub, { email, password: "guess" }, address(), device));
  return (await Promise.allSettled(guesses)).filter(({ status }) => status === "fulfilled").length;
}
const isLimited = { code: "rate_limited", headers: { "Retry-After": expect.stringMatching(/^\d+$/) as string } };

/** The cookie of a browser that has signed in to this account. */
async function deviceOf(email: string, secret = hub.secret): Promise<Device | null> {
  const signed = (await signIn(hub, { email, password }, null))!;
  const [pair] = deviceCookie(secret, signed, true).split(";");
  return readDevice(hub, new Headers({ cookie: pair! }));
}

test("allows ten wrong passwords a minute for an account from one network, without locking out others", async () => {
  const email = await createUser();
  const address = newAddress();
  for (let times = 0; times < 15; times += 1) expect(await signIn(hub, { email, password }, address)).not.toBeNull();
  expect(await guess(email, 15, () => address)).toBe(10);
  await expect(signIn(hub, { email, password }, address)).rejects.toMatchObject(isLimited);
  expect(await signIn(hub, { email, password }, newAddress())).not.toBeNull();
  hub.clock.advance(7_000);
  expect(await signIn(hub, { email, password }, address)).not.toBeNull();
});

test("allows a hundred wrong passwords an hour for an account, and ten more from a known browser", async () => {
  const email = await createUser();
  const known = await deviceOf(email);
  expect(await guess(email, 12, newAddress, known)).toBe(10);
  expect(await guess(email, 105, newAddress)).toBe(100);
  await expect(signIn(hub, { email, password }, newAddress())).rejects.toMatchObject(isLimited);
  await expect(signIn(hub, { email, password }, newAddress(), known)).rejects.toMatchObject(isLimited);
  hub.clock.advance(7_000);
  expect(await signIn(hub, { email, password }, newAddress(), known)).not.toBeNull();
  await expect(signIn(hub, { email, password }, newAddress())).rejects.toMatchObject(isLimited);
  hub.clock.advance(37_000);
  expect(await signIn(hub, { email, password }, newAddress())).not.toBeNull();
});

test("recognizes a browser by the account's own device cookie, until all sessions end", async () => {
  const [email, other] = [await createUser(), await createUser()];
  const known = (await deviceOf(email))!;
  expect(await deviceOf(email, "another secret of at least thirty-two characters")).toBeNull();
  for (const cookie of ["", "hub.device", `hub.device=1.1.${known.id}.x`, `hub.device=${"1".repeat(5_000)}`]) {
    expect(readDevice(hub, new Headers({ cookie }))).toBeNull();
  }
  const address = newAddress();
  expect(await guess(other, 12, () => address, known)).toBe(10);
  await signOutEverywhere(hub, known.personId);
  const elsewhere = newAddress();
  expect(await guess(email, 12, () => elsewhere)).toBe(10);
  await expect(signIn(hub, { email, password }, elsewhere, known)).rejects.toMatchObject(isLimited);
});

test("allows ten password guesses a minute from a session, without locking out sign-in", async () => {
  const email = await createUser();
  const { actor } = (await resolveSession(hub, await begin((await signIn(hub, { email, password }, null))!)))!;
  const change = () => changePassword(hub, actor.person, { current: "guess", password: "another horse" });
  for (let times = 0; times < 10; times += 1) await expect(change()).rejects.toMatchObject({ code: "invalid_input" });
  await expect(change()).rejects.toMatchObject(isLimited);
  expect(await signIn(hub, { email, password }, newAddress())).not.toBeNull();
});

test("limits failures of one address over all accounts", async () => {
  const email = await createUser();
  const address = newAddress();
  const guess = () => signIn(hub, { email: newEmail(), password: "guess" }, address);
  for (let times = 0; times < 20; times += 1) expect(await guess()).toBeNull();
  await expect(guess()).rejects.toMatchObject({ code: "rate_limited" });
  await expect(signIn(hub, { email, password }, address)).rejects.toMatchObject({ code: "rate_limited" });
  expect(await signIn(hub, { email, password }, newAddress())).not.toBeNull();
});

test("requires the current password to change it, and then ends every session", async () => {
  const email = await createUser();
  const session = await begin((await signIn(hub, { email, password }, null))!);
  const { actor } = (await resolveSession(hub, session))!;
  await expect(
    changePassword(hub, actor.person, { current: "guess", password: "another horse" }),
  ).rejects.toMatchObject({
    extras: { errors: { current: ["That’s not your current password."] } },
  });
  await expect(changePassword(hub, actor.person, { current: password, password: "short" })).rejects.toMatchObject({
    code: "invalid_input",
  });
  expect(await isOpen(session)).toBe(true);
  await changePassword(hub, actor.person, { current: password, password: "another horse" });
  expect(await isOpen(session)).toBe(false);
  expect(await signIn(hub, { email, password }, null)).toBeNull();
  const again = await begin((await signIn(hub, { email, password: "another horse" }, null))!);
  expect(await isOpen(again)).toBe(true);
  await setPassword(hub, testOperator, email, "the operator's");
  expect(await isOpen(again)).toBe(false);
});

test("a reset while the password is changed wins", async () => {
  const email = await createUser();
  const { actor } = (await resolveSession(hub, await begin((await signIn(hub, { email, password }, null))!)))!;
  const db: Db = {
    ...hub.db,
    async query(text, values, options) {
      if (text.includes("password_hash = $2")) await setPassword(hub, testOperator, email, "the operator's");
      return hub.db.query(text, values, options);
    },
  };
  await expect(
    changePassword(deriveHub(hub, { db }), actor.person, { current: password, password: "the thief's" }),
  ).rejects.toMatchObject({ extras: { errors: { current: ["That’s not your current password."] } } });
  expect(await signIn(hub, { email, password: "the operator's" }, null)).not.toBeNull();
});

test("signs up an account once, without a balance, if sign-up is open", async () => {
  const email = newEmail();
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => signUp(hub, { email, password }, newAddress())),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const issues: [object, string][] = [
    [{ email, password }, "email"],
    [{ email: "nobody", password }, "email"],
    [{ email: newEmail(), password: "seven77" }, "password"],
  ];
  for (const [request, location] of issues) {
    await expect(signUp(hub, request as { email: string; password: string }, newAddress())).rejects.toMatchObject({
      extras: { errors: { [location]: [expect.any(String)] } },
    });
  }
  await expect(signUp(closed, { email: newEmail(), password }, null)).rejects.toMatchObject({ code: "invalid_input" });
});

test("signs in by another service to the account of a verified address, to a new account, or to none", async () => {
  const issuer = "https://id.example";
  const identity = (subject: string, verifiedEmail: string | null) => ({
    provider: "oidc",
    issuer,
    subject,
    verifiedEmail,
  });
  const email = `k-${newEmail()}`;
  expect(await signInByIdentity(hub, identity("1", null))).toBe("unverified");
  const both = await Promise.all([1, 2, 3].map(() => signInByIdentity(hub, identity("1", email))));
  expect(both).toEqual(["welcome", "welcome", "welcome"]);
  expect(await findByIdentity(hub, identity("1", null))).toMatchObject({ email });
  // Its address may change at the service; the account stays the same.
  expect(await signInByIdentity(hub, identity("1", newEmail()))).toBe("welcome");
  expect(await signInByIdentity(hub, { ...identity("1", email), provider: "github", issuer: null })).toBe("welcome");

  // The Kelvin sign becomes a k in small letters, and U+FEFF vanishes at the ends.
  for (const address of [email.replace("k", "\u212a"), `\ufeff${email}`, email.replace("@", "@\u0130")])
    expect(await signInByIdentity(hub, identity("kelvin", address))).toBe("malformed");
  for (const subject of ["a\0b", "\ud800", "", "x".repeat(256)])
    expect(await signInByIdentity(hub, identity(subject, newEmail()))).toBe("malformed");

  const unproved = await createUser();
  expect(await signInByIdentity(hub, identity("2", unproved))).toBe("taken");
  expect(await findByIdentity(hub, identity("2", unproved))).toBeNull();

  await suspendAccount(hub, testOperator, { id: (await getAccount(hub, email)).id, suspended: true });
  expect(await signInByIdentity(hub, identity("1", email))).toBe("suspended");
  expect(await findByIdentity(hub, identity("1", email))).toBeNull();

  expect(await signInByIdentity(closed, identity("3", newEmail()))).toBe("closed");
  const known = newEmail();
  await createAccount(closed, { email: known, verified: true });
  expect(await signInByIdentity(closed, identity("3", known))).toBe("welcome");
});

test("an equal subject of another issuer is somebody else", async () => {
  const [ann, bob] = [newEmail(), newEmail()];
  const identity = (issuer: string, verifiedEmail: string) => ({
    provider: "oidc",
    issuer,
    subject: "3",
    verifiedEmail,
  });
  const earlier = identity("https://earlier.example", ann);
  expect(await signInByIdentity(hub, earlier)).toBe("welcome");
  // As a version linked it that stored no issuer.
  await hub.db.query("UPDATE identity SET issuer = NULL WHERE subject = '3'");
  await bindIdentities(hub.db, earlier.issuer);
  expect(await findByIdentity(hub, earlier)).toMatchObject({ email: ann });
  const later = identity("https://later.example", bob);
  expect(await findByIdentity(hub, later)).toBeNull();
  expect(await signInByIdentity(hub, later)).toBe("welcome");
  expect(await findByIdentity(hub, later)).toMatchObject({ email: bob });
  expect(await findByIdentity(hub, earlier)).toBeNull();
});

test("many sign-ins of one network keep nobody else waiting, and are bounded", async () => {
  const email = await createUser();
  const other = await testHub({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "1000" });
  const ended: string[] = [];
  const attempt = (name: string, address: string) =>
    signIn(other, { email: `${name}@example.org`, password: "guess" }, address).finally(() => ended.push(name));
  const flood = Promise.allSettled(Array.from({ length: 60 }, (_, n) => attempt(`flood-${n}`, "198.51.100.1")));
  await expect.poll(() => ended.length).toBeGreaterThan(0);
  await attempt("other", newAddress());
  const rejected = (await flood).filter(({ status }) => status === "rejected");
  expect(rejected.length).toBeGreaterThan(0);
  expect(rejected).toMatchObject(rejected.map(() => ({ reason: isLimited })));
  expect(ended.indexOf("other")).toBeLessThan(ended.length - 10);
  expect(await signIn(hub, { email, password }, newAddress())).not.toBeNull();
});
