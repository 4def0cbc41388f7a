import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { getPerson } from "../../server/domain/people/person";
import { requestReset } from "../../server/domain/passwords/request-reset";
import { findWelcome } from "../../server/domain/accounts/sign-up-credit";
import { resetPassword } from "../../server/domain/recovery/reset-password";
import { openAccount } from "../../server/domain/signup/open-account";
import { signInByIdentity } from "../../server/domain/signup/sign-in-by-identity";
import { signUp } from "../../server/domain/signup/sign-up";
import { sendVerification, verifyEmail } from "../../server/domain/signup/verify-email";
import { readEnv } from "../../server/env";
import { alterEnd } from "../alter-end";
import { deriveHub } from "../derive-hub";
import { type TestHub, testHub } from "../hub";
import { openMailServer } from "../mail-server";

const mail = await openMailServer();
const CREDIT = { SIGN_UP: "open", SIGN_UP_CREDIT: "2.50", RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "1000" };
const hub = await testHub(CREDIT);
const mailing = deriveHub(hub, {
  env: readEnv({ LOG_LEVEL: "silent", ...CREDIT, SMTP_URL: mail.url, BASE_URL: "https://hub.example" }),
});
const password = "correct horse";
let count = 0;
const newEmail = () => `trial-${(count += 1)}@example.org`;

const entriesOf = (email: string) =>
  hub.db.query<{ kind: string; amount: bigint; reference: string; balance: bigint }>(
    `SELECT kind, amount, replace(reference, id::text, '<id>') AS reference, balance FROM (
       SELECT e.kind, e.amount, e.reference, a.balance, a.id FROM account a JOIN ledger_entry e ON e.account_id = a.id WHERE email = $1
     ) entries`,
    [email],
  );
const trial = [{ kind: "credit", amount: 2_500_000_000n, reference: "sign-up:<id>", balance: 2_500_000_000n }];

async function ctxOf(on: TestHub, email: string) {
  const account = await on.db.prisma.account.findUniqueOrThrow({ where: { email } });
  return contextOf(on, account, { kind: "user" }, "test");
}

/** Signs up by password and returns the token of the e-mail that follows. */
async function signUpByMail() {
  const [email, before] = [newEmail(), mail.received.length];
  await signUp(mailing, { email, password }, null);
  await expect.poll(() => mail.received.length).toBe(before + 1);
  return { email, token: readToken() };
}
const readToken = () => /https:\/\/hub\.example\/overview\?verify=([\w.-]+)/.exec(mail.received.at(-1)!.text)![1]!;

test("a new account gets the trial credit once, and a taken address gets nothing", async () => {
  const email = newEmail();
  await signUp(hub, { email, password }, null);
  expect(await entriesOf(email)).toEqual(trial);
  await expect(signUp(hub, { email, password }, null)).rejects.toMatchObject({ code: "invalid_input" });
  const both = newEmail();
  await Promise.allSettled([1, 2, 3].map(() => signUp(hub, { email: both, password }, null)));
  expect([await entriesOf(email), await entriesOf(both)]).toEqual([trial, trial]);
  const identity = { provider: "github", issuer: null, subject: "1", verifiedEmail: newEmail() };
  await Promise.all([1, 2, 3].map(() => signInByIdentity(mailing, identity)));
  expect(await entriesOf(identity.verifiedEmail)).toEqual(trial);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("an account is never left without its trial credit: a crash between the two leaves neither", async () => {
  const email = newEmail();
  const failing = deriveHub(hub, {
    db: {
      ...hub.db,
      transaction: (work) =>
        hub.db.transaction(async (tx) => {
          await work(tx);
          throw new Error("killed");
        }),
    },
  });
  await expect(openAccount(failing, { email })).rejects.toThrow("killed");
  expect(await hub.db.prisma.account.count({ where: { email } })).toBe(0);
});

test("where the hub sends e-mail, the credit follows the verified address", async () => {
  const { email, token } = await signUpByMail();
  const person = await getPerson(mailing, email);
  expect(await entriesOf(email)).toEqual([]);
  expect(await findWelcome(await ctxOf(mailing, email))).toEqual({
    sign_up_credit: 2_500_000_000n,
    hides_steps: false,
  });
  const other = await signUpByMail();
  const rejected = { extras: { errors: { token: [expect.stringContaining("request a new e-mail")] } } };
  for (const wrong of [other.token, ...alterEnd(token).slice(-2), token.replace(/^\d+/, "9999999999"), ""]) {
    await expect(verifyEmail(mailing, person, wrong)).rejects.toMatchObject(rejected);
  }
  const results = await Promise.all([1, 2, 3].map(() => verifyEmail(mailing, person, token)));
  expect(results.map(({ credited }) => credited).sort()).toEqual([2.5, null, null]);
  expect(await entriesOf(email)).toEqual(trial);
  expect((await ctxOf(mailing, email)).account).toMatchObject({ signUpCredit: null });
  expect(await getPerson(mailing, email)).toMatchObject({ emailVerifiedAt: expect.any(Date) as Date });
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("a link expires after a day, and another can be requested once a minute", async () => {
  const { email, token } = await signUpByMail();
  const person = await getPerson(mailing, email);
  await expect(sendVerification(mailing, person)).rejects.toMatchObject({ code: "rate_limited" });
  hub.clock.advance(86_400_000);
  await expect(verifyEmail(mailing, person, token)).rejects.toMatchObject({ code: "invalid_input" });
  await sendVerification(mailing, person);
  expect(await verifyEmail(mailing, person, readToken())).toEqual({ credited: 2.5 });
});

test("resetting the password by e-mail verifies the address too", async () => {
  const { email, token } = await signUpByMail();
  const before = mail.received.length;
  await requestReset(mailing, email, null);
  await expect.poll(() => mail.received.length).toBe(before + 1);
  const reset = /reset-password\?token=([\w-]{43})/.exec(mail.received.at(-1)!.text)![1]!;
  await resetPassword(mailing, { token: reset, password }, null);
  expect(await entriesOf(email)).toEqual(trial);
  expect(await verifyEmail(mailing, await getPerson(mailing, email), token)).toEqual({ credited: null });
  expect(await entriesOf(email)).toEqual(trial);
});

test("without SIGN_UP_CREDIT nobody gets any, and its amount is bounded", async () => {
  const email = newEmail();
  const free = deriveHub(hub, { env: { ...mailing.env, SIGN_UP_CREDIT: 0n } });
  const before = mail.received.length;
  await signUp(free, { email, password }, null);
  expect(await entriesOf(email)).toEqual([]);
  expect(await findWelcome(await ctxOf(free, email))).toMatchObject({ sign_up_credit: null });
  expect(mail.received.length).toBe(before);
  for (const amount of ["-1", "1e3", "1000.01", "5 EUR", "0.0000000001"])
    expect(() => readEnv({ SIGN_UP_CREDIT: amount })).toThrow(/SIGN_UP_CREDIT/);
  expect(readEnv({}).SIGN_UP_CREDIT).toBe(0n);
});
