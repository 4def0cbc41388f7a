import { expect, test } from "vitest";
import { voucherActions } from "../../server/actions/vouchers";
import { readTime } from "../../server/cli/command";
import type { Role } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { advanceClosures } from "../../server/domain/closures/advance-closures";
import { closeAccountByOperator } from "../../server/domain/closures/request-closing";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { creditAccount, grantCredit } from "../../server/domain/ledger/credit";
import { findFunds } from "../../server/domain/ledger/find-funds";
import { listEntries, serializeEntry } from "../../server/domain/ledger/list-entries";
import { bookPayment, lockPayment } from "../../server/domain/payments/book-payment";
import { createOperatorToken } from "../../server/domain/operator-tokens/operator-token";
import { recordPayment } from "../../server/domain/payment-records/record-payment";
import { createAccount } from "../../server/domain/people/create-account";
import { redeemVoucher } from "../../server/domain/vouchers/redeem";
import { createVoucher, listVouchers, revokeVoucher, serializeVoucher } from "../../server/domain/vouchers/voucher";
import { hashCode } from "../../server/domain/vouchers/voucher-code";
import type { AppError } from "../../server/errors";
import { newId } from "../../server/lib/id";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { deriveHub } from "../derive-hub";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession } from "../session";
import { soakCount } from "../soak";

const hub = await testHub();
const EURO = 1_000_000_000n;
const newOwner = async () => ownerSession(hub, await createAccount(hub, { email: `${newId()}@example.org` }));
const newVoucher = (members: object = {}) =>
  createVoucher(hub, testOperator, { amount: EURO, maxRedemptions: 1, expiresAt: null, ...members });
const fundsOf = async (id: number) =>
  (
    await hub.db.query<Record<"balance" | "promotional" | "owed", bigint>>(
      "SELECT balance, promotional, owed FROM account WHERE id = $1",
      [id],
    )
  )[0]!;
const expectNoViolations = async () => expect((await runAudit(hub.db)).violations).toEqual([]);

test("of 50 concurrent redemptions of a voucher for 3, by 10 accounts and on two processes, 3 succeed", async () => {
  const processes = [hub, deriveHub(hub, {})];
  for (let round = 0; round < soakCount(3, 100); round += 1) {
    const { code, record } = await newVoucher({ maxRedemptions: 3 });
    const owners = await Promise.all(Array.from({ length: 10 }, newOwner));
    const attempts = Array.from({ length: 50 }, (_, n) => {
      const owner = owners[n % 10]!;
      return redeemVoucher({ ...owner, hub: processes[n % 2]! }, code).then(() => owner.account.id);
    });
    const results = await Promise.allSettled(attempts);
    const winners = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(winners).toHaveLength(3);
    expect(new Set(winners).size).toBe(3);
    for (const one of results)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "invalid_state" });
    for (const { account } of owners)
      expect((await fundsOf(account.id)).promotional).toBe(winners.includes(account.id) ? EURO : 0n);
    const [listed] = (await listVouchers(hub, { limit: 1 })).data;
    expect(serializeVoucher(listed!)).toMatchObject({ id: record.id, redemptions: 3, max_redemptions: 3, amount: 1 });
  }
  await expectNoViolations();
});

test("a code is read as people type it, stored only as a keyed hash, and cannot be read again", async () => {
  const { code, record } = await newVoucher();
  const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/);
  expect(hashCode(hub, typed)).toEqual(hashCode(hub, code));
  expect(hashCode({ secret: "another" }, code)).not.toEqual(hashCode(hub, code));
  const stored = await hub.db.query("SELECT row_to_json(voucher)::text FROM voucher WHERE id = $1", [record.id]);
  expect(JSON.stringify(stored)).not.toContain(code.slice(6).replaceAll("-", ""));
  expect(await redeemVoucher(await newOwner(), typed)).toEqual({ credited: 1 });
});

test("a voucher outlives the secret that hashed it while both are set, and for good once it was redeemed", async () => {
  const { code } = await newVoucher({ maxRedemptions: 2 });
  const [before, after] = [{ secret: "next", previousSecret: hub.secret }, { secret: "next" }];
  const redeem = async (secrets: object) =>
    redeemVoucher({ ...(await newOwner()), hub: deriveHub(hub, secrets) }, code);
  expect(await redeem(before)).toEqual({ credited: 1 });
  expect(await redeem(after)).toEqual({ credited: 1 });
});

test("ended vouchers and suspended accounts are rejected, each with its reason", async () => {
  const owner = await newOwner();
  const expired = await newVoucher({ expiresAt: new Date(hub.now().getTime() + 1_000) });
  const revoked = await newVoucher();
  await revokeVoucher(hub, testOperator, revoked.record.id);
  await revokeVoucher(hub, testOperator, revoked.record.id);
  const twice = await newVoucher({ maxRedemptions: 2 });
  await redeemVoucher(owner, twice.code);
  hub.clock.advance(1_000);
  const detail = (code: string) => redeemVoucher(owner, code).catch((error: Error) => error.message);
  expect(await detail(expired.code)).toMatch("expired at");
  expect(await detail(revoked.code)).toMatch("no longer valid");
  expect(await detail(twice.code)).toMatch("redeemed this voucher already");
  await hub.db.query("UPDATE account SET closes_at = now() WHERE id = $1", [owner.account.id]);
  expect(await detail((await newVoucher()).code)).toMatch("closing");
  expect((await fundsOf(owner.account.id)).promotional).toBe(EURO);
  await expect(revokeVoucher(hub, testOperator, newId())).rejects.toMatchObject({ code: "resource_not_found" });
  await expect(revokeVoucher(hub, testOperator, "none")).rejects.toMatchObject({ code: "resource_not_found" });
});

test("guessing ends after 20 wrong codes, and successful and rejected ones do not count", async () => {
  const owner = await newOwner();
  const { code } = await newVoucher();
  await redeemVoucher(owner, code);
  for (let n = 0; n < 25; n += 1)
    await expect(redeemVoucher(owner, code)).rejects.toMatchObject({ code: "invalid_state" });
  const guesses = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) => redeemVoucher(owner, n % 2 ? "ABCDE-ABCDE-ABCDE-ABCDE-ABCDE" : "none")),
  );
  const codes = guesses.map((one) => ((one as PromiseRejectedResult).reason as AppError).code);
  expect(codes.filter((one) => one === "invalid_input")).toHaveLength(20);
  expect(codes.filter((one) => one === "rate_limited")).toHaveLength(20);
});

test("owners and people with the billing role redeem vouchers in the console, others do not", async () => {
  const owner = await newOwner();
  const consoleOf = (role: Role) => {
    const actor = { ...owner.actor, person: { ...owner.actor.person, role } };
    return createCallerFactory(root)({ hub, session: { ...owner, actor }, address: null });
  };
  for (const role of ["owner", "billing"] as const)
    expect(await consoleOf(role).balance.redeemVoucher({ code: (await newVoucher()).code })).toEqual({ credited: 1 });
  for (const role of ["developer", "viewer"] as const)
    await expect(consoleOf(role).balance.redeemVoucher({ code: (await newVoucher()).code })).rejects.toThrow(
      "Your role",
    );
  expect((await fundsOf(owner.account.id)).promotional).toBe(2n * EURO);
});

test("a token’s daily credit limit covers all redemptions of its vouchers", async () => {
  const request = { name: newId(), role: "operator" as const, expiresAt: null, dailyCredit: 10n * EURO };
  const { record } = await createOperatorToken(hub, testOperator, request);
  const program = { ...testOperator, tokenId: record.id };
  const create = (maxRedemptions: number) =>
    createVoucher(hub, program, { amount: EURO, maxRedemptions, expiresAt: null });
  await create(6);
  await expect(create(5)).rejects.toMatchObject({ code: "insufficient_credits" });
  await create(4);
  await expect(create(1)).rejects.toMatchObject({ code: "insufficient_credits" });
});

test("bounds of vouchers are checked", async () => {
  const past = hub.now();
  for (const members of [
    { amount: 0n },
    { amount: -1n },
    { amount: 10_001n * EURO },
    { maxRedemptions: 0 },
    { maxRedemptions: 1.5 },
    { maxRedemptions: 100_001 },
    { expiresAt: past },
    { note: "n".repeat(201) },
  ])
    await expect(newVoucher(members)).rejects.toMatchObject({ code: "invalid_input" });
});

test.each(["9999-12-31T23:59:59-01:00", "0000-12-31T23:59:59Z"])("an expiry may not be %s", (expires_at) => {
  const { error } = voucherActions.create.body!.safeParse({ amount: 1, expires_at });
  expect(error?.issues).toMatchObject([{ path: ["expires_at"] }]);
  expect(() => readTime(expires_at)).toThrow("ISO 8601");
  expect(readTime("9999-12-31T23:59:59Z").toISOString()).toBe("9999-12-31T23:59:59.000Z");
});

test("promotional credit stays spendable beside a debt, which only paid credit repays", async () => {
  const owner = await newOwner();
  const { id } = owner.account;
  const paid = await recordPayment(hub, testOperator, {
    accountId: id,
    amount: 100,
    tax: 0,
    reference: newId(),
    note: null,
  });
  const spend = async (amount: bigint) => {
    const running = { status: "running" as const, is_llm: true, started_at: new Date(), deadline_at: new Date() };
    const generation = { ...queuedGeneration(id, amount), ...running };
    if ((await insertWithHold(hub, generation)) !== "accepted") return false;
    return (
      (await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded", cost: amount })) !== null
    );
  };
  expect(await spend(EURO)).toBe(true);
  await hub.db.transaction(async (tx) => {
    const [payment] = await lockPayment(tx, paid.payment.id);
    return bookPayment(hub, tx, payment!, { disputed: 100 });
  });
  expect((await findFunds(owner)).explanation).toMatch(/^your account owes 1 EUR/);
  await redeemVoucher(owner, (await newVoucher()).code);
  expect(await fundsOf(id)).toEqual({ balance: EURO, promotional: EURO, owed: EURO });
  expect((await findFunds(owner)).explanation).toMatch(/^you have 1 EUR available; your account owes 1 EUR/);
  expect(await spend(EURO / 4n)).toBe(true);
  await creditAccount(hub, id, { amount: 2n * EURO });
  expect(await fundsOf(id)).toEqual({ balance: (7n * EURO) / 4n, promotional: (3n * EURO) / 4n, owed: 0n });
  expect(await spend(EURO)).toBe(true);
  const entries = (await listEntries(owner, { limit: 10 })).data.map(serializeEntry);
  expect(entries.map(({ kind, amount, promotional }) => [kind, amount, promotional])).toEqual([
    ["charge", -1, -0.75],
    ["repayment", -1, 0],
    ["credit", 2, 0],
    ["charge", -0.25, -0.25],
    ["promotional", 1, 1],
    ["charge", -1, 0],
    ["credit", 1, 0],
  ]);
  await expectNoViolations();
});

test("operators correct each kind of credit by itself", async () => {
  const { account } = await newOwner();
  const grant = (amount: bigint, promotional: boolean) =>
    grantCredit(hub, testOperator, account.id, { amount, promotional });
  await grant(3n * EURO, true);
  await grant(EURO, false);
  await expect(grant(-2n * EURO, false)).rejects.toMatchObject({ code: "insufficient_credits" });
  await expect(grant(-4n * EURO, true)).rejects.toMatchObject({ code: "insufficient_credits" });
  await grant(-2n * EURO, true);
  await grant(-EURO, false);
  const reserved = { amount: EURO, promotional: true, reference: "voucher:spring" };
  await expect(grantCredit(hub, testOperator, account.id, reserved)).rejects.toMatchObject({ code: "invalid_input" });
  expect(await fundsOf(account.id)).toEqual({ balance: EURO, promotional: EURO, owed: 0n });
  await expectNoViolations();
});

test("an account with promotional credit alone closes without waiting for a refund, and gives it up", async () => {
  const { account, ...rest } = await newOwner();
  await redeemVoucher({ account, ...rest }, (await newVoucher()).code);
  await recordPayment(hub, testOperator, { accountId: account.id, amount: 1, tax: 0, reference: newId(), note: null });
  await grantCredit(hub, testOperator, account.id, { amount: -10_000_000n });
  await closeAccountByOperator(hub, testOperator, { id: account.id, balance: "refund", days: 0 });
  hub.clock.advance(2 * 3_600_000);
  await advanceClosures(hub);
  expect(await fundsOf(account.id)).toEqual({ balance: 0n, promotional: 0n, owed: 0n });
  const entries = await hub.db.query(
    "SELECT kind, amount, promotional FROM ledger_entry WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
    [account.id],
  );
  expect(entries).toEqual([{ kind: "given_up", amount: -EURO, promotional: -EURO }]);
  await expectNoViolations();
});
