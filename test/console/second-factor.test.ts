import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { newCustomer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { testHub, type TestHub } from "../hub";
import { openMailServer } from "../mail-server";
import { testOperator } from "../operator";
import { createTestPasskey } from "../test-passkey";
import { contextOf } from "../../server/context";
import { setHubRole } from "../../server/domain/people/hub-role";
import { addMember } from "../../server/domain/people/person";
import { hashPassword } from "../../server/domain/passwords/password";
import { requestReset } from "../../server/domain/passwords/request-reset";
import { resetPassword } from "../../server/domain/recovery/reset-password";
import { findSession } from "../../server/domain/sessions/resolve-session";
import { beginSession, type FirstStep, switchAccount } from "../../server/domain/sessions/session";
import { addPasskey, startPasskey } from "../../server/domain/factors/add-passkey";
import { confirmPassword } from "../../server/domain/factors/confirm-password";
import { demandFactor, type FactorCtx, listFactors, resetFactors } from "../../server/domain/factors/factor";
import { removePasskey, renamePasskey } from "../../server/domain/factors/passkey";
import { renewCodes, useRecoveryCode } from "../../server/domain/factors/recovery-code";
import { confirmTotp, removeTotp, startTotp, useTotp } from "../../server/domain/factors/totp";
import { startVerification, usePasskey } from "../../server/domain/factors/use-passkey";

const mail = await openMailServer();
const hub = await testHub({ BASE_URL: "https://hub.example", SMTP_URL: mail.url });
const strictHub = deriveHub(hub, { env: { ...hub.env, SECOND_FACTOR: "required" } });
const STEP_MS = 30_000;
const MINUTE_MS = 60_000;

/** A person who signs in anew whenever `signIn` is called. */
async function newPerson() {
  const { account, email } = await newCustomer(hub);
  const person = await hub.db.prisma.person.findUniqueOrThrow({ where: { email } });
  const signIn = async (firstStep: FirstStep = "password") => {
    const { sessionVersion } = await hub.db.prisma.person.findUniqueOrThrow({ where: { email } });
    const sessionId = (await beginSession(hub, { id: person.id, email, sessionVersion }, "Test", firstStep))!;
    const ctx: FactorCtx = { hub, sessionId, accountId: account, person };
    return {
      ctx,
      find: (on = hub) => find(on, sessionId),
      stage: async (on = hub) => (await find(on, sessionId))?.stage,
    };
  };
  return { account, email, id: person.id, signIn };
}
const find = (on: TestHub, sessionId: string) => {
  const seconds = Math.floor(on.now().getTime() / 1000);
  return findSession(on, { sessionId, began: seconds, seen: seconds });
};
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: hub.now().getTime() + steps * STEP_MS });

/** Sets up an authenticator app, and returns its secret and the recovery codes. */
async function setUp(ctx: FactorCtx) {
  const { secret } = await startTotp(ctx);
  const { recovery_codes } = await confirmTotp(ctx, codeOf(secret));
  // The time step of that code is used up.
  hub.clock.advance(STEP_MS);
  return { secret, codes: recovery_codes ?? [] };
}
async function addTestPasskey(ctx: FactorCtx, name = "Laptop") {
  const passkey = createTestPasskey("https://hub.example");
  const { recovery_codes } = await addPasskey(ctx, { response: passkey.register(await startPasskey(ctx)), name });
  return { passkey, codes: recovery_codes };
}
const rejected = (...results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === "rejected").length;

test("a session needs a second factor as decision 58 says", async () => {
  const { account, email, signIn } = await newPerson();
  const first = await signIn();
  expect(await first.stage()).toBe("complete");
  expect(await first.stage(strictHub)).toBe("enrol");
  await hub.db.prisma.account.update({ where: { id: account }, data: { requiresSecondFactor: true } });
  expect(await (await signIn("identity")).stage()).toBe("enrol");
  await setUp(first.ctx);
  expect(await first.stage()).toBe("complete");
  expect(await (await signIn("identity")).stage()).toBe("verify");
  await hub.db.prisma.account.update({ where: { id: account }, data: { requiresSecondFactor: false } });
  expect(await (await signIn()).stage()).toBe("verify");
  expect(await (await signIn("identity")).stage()).toBe("complete");
  for (const role of ["operator", "auditor"] as const) {
    await setHubRole(hub, testOperator, email, role);
    expect(await (await signIn("identity")).stage()).toBe("verify");
  }
});

test("a pending session ends after 15 minutes, and begins anew with another account", async () => {
  const { id, signIn } = await newPerson();
  const other = await newPerson();
  await addMember(hub.db, other.account, id, "viewer", hub.now());
  await hub.db.prisma.account.update({ where: { id: other.account }, data: { requiresSecondFactor: true } });
  const { ctx, find: current, stage } = await signIn();
  hub.clock.advance(20 * MINUTE_MS);
  const open = await current();
  if (open?.stage !== "complete") throw new Error("not complete");
  await switchAccount(contextOf(hub, open.account, open.actor, "test"), other.account);
  expect(await stage()).toBe("enrol");
  hub.clock.advance(16 * MINUTE_MS);
  expect(await current()).toBeNull();
  expect(ctx.person.id).toBe(id);
});

test("a code works once, also for two requests at the same time", async () => {
  const { signIn } = await newPerson();
  const { secret } = await setUp((await signIn()).ctx);
  const { ctx, stage } = await signIn();
  const code = codeOf(secret);
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => useTotp(ctx, code)));
  expect(rejected(...results)).toBe(4);
  expect(await stage()).toBe("complete");
  await expect(useTotp(ctx, code)).rejects.toMatchObject({ code: "invalid_input" });
  // Using a later step also uses up the earlier ones.
  await useTotp(ctx, codeOf(secret, 1));
  await expect(useTotp(ctx, codeOf(secret, 0))).rejects.toMatchObject({ code: "invalid_input" });
  hub.clock.advance(5 * STEP_MS);
  await expect(useTotp(ctx, codeOf(secret, -2))).rejects.toMatchObject({ code: "invalid_input" });
  await useTotp(ctx, codeOf(secret, -1));
});

test("the secret of an app is stored encrypted, and codes are not stored", async () => {
  const { id, signIn } = await newPerson();
  const { secret, codes } = await setUp((await signIn()).ctx);
  const stored = JSON.stringify([
    await hub.db.query("SELECT encode(secret, 'escape') FROM totp WHERE person_id = $1", [id]),
    await hub.db.query("SELECT encode(hash, 'escape') FROM recovery_code WHERE person_id = $1", [id]),
  ]);
  expect(codes).toHaveLength(10);
  for (const text of [secret, ...codes]) expect(stored).not.toContain(text);
});

test("digits of another script and characters of several bytes are a wrong code", async () => {
  const { signIn } = await newPerson();
  const { secret } = await setUp((await signIn()).ctx);
  const { ctx } = await signIn();
  const wide = codeOf(secret).replaceAll(/./g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  for (const code of [wide, "١٢٣٤٥٦", "😀😀😀", "12345", "1234567", ""])
    await expect(useTotp(ctx, code)).rejects.toMatchObject({ code: "invalid_input" });
  await useTotp(ctx, codeOf(secret).replace(/(.{3})/, "$1 "));
});

test("guessing codes is throttled for the person, whatever the session", async () => {
  const { signIn } = await newPerson();
  const { secret } = await setUp((await signIn()).ctx);
  const [one, other] = [await signIn(), await signIn()];
  for (let count = 0; count < 10; count += 1)
    for (const { ctx } of [one, other]) await useTotp(ctx, "000000").catch(() => undefined);
  await expect(useTotp(one.ctx, codeOf(secret))).rejects.toMatchObject({ code: "rate_limited" });
  for (let count = 0; count < 20; count += 1) await useRecoveryCode(one.ctx, "guess").catch(() => undefined);
  await expect(useRecoveryCode(one.ctx, "guess")).rejects.toMatchObject({ code: "rate_limited" });
});

test("a recovery code counts as a factor once, and then lets its person remove the others", async () => {
  const person = await newPerson();
  const { codes } = await setUp((await person.signIn()).ctx);
  const { ctx, stage } = await person.signIn();
  expect(await stage()).toBe("verify");
  const typed = ` ${codes[0]!.toUpperCase().replaceAll("-", " ")}`;
  const results = await Promise.allSettled([useRecoveryCode(ctx, typed), useRecoveryCode(ctx, codes[0]!)]);
  expect(rejected(...results)).toBe(1);
  expect(await stage()).toBe("complete");
  expect((await listFactors(ctx)).recovery_codes).toBe(9);
  const stranger = await (await newPerson()).signIn();
  await expect(useRecoveryCode(stranger.ctx, codes[1]!)).rejects.toMatchObject({ code: "invalid_input" });
  const renewed = await renewCodes(ctx);
  await expect(useRecoveryCode(ctx, codes[1]!)).rejects.toMatchObject({ code: "invalid_input" });
  await useRecoveryCode(ctx, renewed[0]!);
  await removeTotp(ctx);
  expect(await listFactors(ctx)).toMatchObject({ totp_added_at: null, recovery_codes: 0 });
  await expect.poll(() => mail.received.filter(({ to }) => to[0] === person.email).length).toBe(5);
});

test("a passkey signs the challenge of its own session, once and in time", async () => {
  const person = await newPerson();
  const { passkey } = await addTestPasskey((await person.signIn()).ctx);
  const [one, other] = [await person.signIn(), await person.signIn()];
  const options = await startVerification(one.ctx);
  await expect(usePasskey(other.ctx, passkey.sign(options))).rejects.toMatchObject({ code: "invalid_state" });
  await startVerification(other.ctx);
  await expect(usePasskey(other.ctx, passkey.sign(options))).rejects.toMatchObject({ code: "invalid_input" });
  const response = passkey.sign(options);
  await usePasskey(one.ctx, response);
  expect([await one.stage(), await other.stage()]).toEqual(["complete", "verify"]);
  await expect(usePasskey(one.ctx, response)).rejects.toMatchObject({ code: "invalid_state" });
  const late = await startVerification(other.ctx);
  hub.clock.advance(6 * MINUTE_MS);
  await expect(usePasskey(other.ctx, passkey.sign(late))).rejects.toMatchObject({ code: "invalid_state" });
});

test("a passkey is rejected with an old counter, without user verification, for another site or person", async () => {
  const person = await newPerson();
  const { passkey } = await addTestPasskey((await person.signIn()).ctx);
  const { ctx, stage } = await person.signIn();
  const attempt = async (change: Parameters<typeof passkey.sign>[1]) =>
    usePasskey(ctx, passkey.sign(await startVerification(ctx), change));
  await attempt({ counter: 7 });
  for (const change of [
    { counter: 7 },
    { counter: 3 },
    { isVerified: false },
    { origin: "https://evil.example" },
    { site: "evil.example" },
  ])
    await expect(attempt(change), JSON.stringify(change)).rejects.toMatchObject({ code: "invalid_input" });
  await attempt({ counter: 8 });
  expect(await stage()).toBe("complete");
  const strangers = await newPerson();
  const { passkey: foreign } = await addTestPasskey((await strangers.signIn()).ctx);
  await expect(usePasskey(ctx, foreign.sign(await startVerification(ctx)))).rejects.toMatchObject({
    code: "invalid_input",
  });
});

test("a new passkey needs a fresh challenge of the session, and no attestation", async () => {
  const { ctx } = await (await newPerson()).signIn();
  const { ctx: other } = await (await newPerson()).signIn();
  const passkey = createTestPasskey("https://hub.example");
  const options = await startPasskey(ctx);
  const add = (on: FactorCtx, response: ReturnType<typeof passkey.register>) => addPasskey(on, { response, name: "x" });
  await expect(add(other, passkey.register(options))).rejects.toMatchObject({ code: "invalid_state" });
  await expect(add(ctx, passkey.register(options, { format: "android-key" }))).rejects.toMatchObject({
    code: "invalid_input",
  });
  await expect(add(ctx, passkey.register(options))).rejects.toMatchObject({ code: "invalid_state" });
  const long = createTestPasskey("https://hub.example", 1_024);
  await expect(add(ctx, long.register(await startPasskey(ctx)))).rejects.toMatchObject({ code: "invalid_input" });
  await add(ctx, passkey.register(await startPasskey(ctx)));
  // The passkey is registered already, to somebody else.
  await expect(add(other, passkey.register(await startPasskey(other)))).rejects.toMatchObject({
    code: "invalid_state",
  });
});

test("another person's passkey is reported as missing", async () => {
  const { ctx } = await (await newPerson()).signIn();
  await addTestPasskey(ctx);
  const { passkeys } = await listFactors(ctx);
  const { ctx: other } = await (await newPerson()).signIn();
  for (const id of [passkeys[0]!.id, "x"]) {
    await expect(renamePasskey(other, id, "mine")).rejects.toMatchObject({ code: "resource_not_found" });
    await expect(removePasskey(other, id)).rejects.toMatchObject({ code: "resource_not_found" });
  }
  await renamePasskey(ctx, passkeys[0]!.id, "Phone");
  expect((await listFactors(ctx)).passkeys).toMatchObject([{ name: "Phone" }]);
});

test("the last factor stays while one is demanded, also when two are removed at once", async () => {
  const person = await newPerson();
  const { ctx } = await person.signIn();
  await expect(demandFactor(ctx, true)).rejects.toMatchObject({ code: "invalid_state" });
  await setUp(ctx);
  await addTestPasskey(ctx);
  await demandFactor(ctx, true);
  const [{ id } = { id: "" }] = (await listFactors(ctx)).passkeys;
  const results = await Promise.allSettled([removeTotp(ctx), removePasskey(ctx, id)]);
  expect(rejected(...results)).toBe(1);
  await demandFactor(ctx, false);
  await Promise.allSettled([removeTotp(ctx), removePasskey(ctx, id)]);
  expect(await listFactors(ctx)).toMatchObject({ passkeys: [], totp_added_at: null, recovery_codes: 0 });
});

test("a session without a factor adds none once its person has one", async () => {
  const { signIn } = await newPerson();
  const [one, other] = [await signIn(), await signIn()];
  const { secret } = await startTotp(other.ctx);
  await setUp(one.ctx);
  await startTotp(other.ctx);
  await expect(addTestPasskey(other.ctx)).rejects.toMatchObject({ status: 403 });
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

test("a password verifies a person only without a second factor", async () => {
  const person = await newPerson();
  await hub.db.prisma.person.update({
    where: { id: person.id },
    data: { passwordHash: await hashPassword("correct horse") },
  });
  const { ctx, find: current } = await person.signIn();
  hub.clock.advance(11 * MINUTE_MS);
  await expect(confirmPassword(ctx, "wrong")).rejects.toMatchObject({ code: "invalid_input" });
  await confirmPassword(ctx, "correct horse");
  const open = await current();
  expect(open?.stage === "complete" && open.actor.provedAt!.getTime()).toBeGreaterThan(hub.now().getTime() - MINUTE_MS);
  await setUp(ctx);
  await expect(confirmPassword(ctx, "correct horse")).rejects.toMatchObject({ code: "invalid_state" });
});

test("a reset by e-mail removes no factor of a verified address, and all of an unverified one", async () => {
  for (const isVerified of [true, false]) {
    const person = await newPerson();
    const emailVerifiedAt = isVerified ? hub.now() : null;
    await hub.db.prisma.person.update({ where: { id: person.id }, data: { emailVerifiedAt } });
    await setUp((await person.signIn()).ctx);
    await requestReset(hub, person.email, null);
    const find = () =>
      mail.received.find(({ to, text }) => to[0] === person.email && text.includes("reset-password"))?.text;
    await expect.poll(find).toBeDefined();
    const token = /reset-password\?token=([\w-]+)/.exec(find()!)![1]!;
    await resetPassword(hub, { token, password: "another horse" }, null);
    expect(await (await person.signIn()).stage()).toBe(isVerified ? "verify" : "complete");
  }
});

test("the operator removes all factors, which ends the sessions and is recorded once", async () => {
  const person = await newPerson();
  const { ctx, stage } = await person.signIn();
  await setUp(ctx);
  expect(await resetFactors(hub, testOperator, person.email)).toBe(true);
  expect(await resetFactors(hub, testOperator, person.email)).toBe(false);
  expect(await stage()).toBeUndefined();
  expect(await (await person.signIn()).stage()).toBe("complete");
  const actions = await hub.db.query("SELECT before FROM operator_action WHERE action = 'person.reset-factors'");
  expect(actions).toEqual([{ before: { passkeys: 0, authenticator_apps: 1 } }]);
});
