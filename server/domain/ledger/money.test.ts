import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHub } from "../../../test/hub";
import { createAccount } from "../people/create-account";
import { runAudit } from "../audit/audit";
import { insertWithHold } from "../generations/intake/insert-with-hold";
import { finishGeneration } from "../generations/end/finish";
import { queuedGeneration } from "../../../test/generation-fixture";
import { soakCount } from "../../../test/soak";
import { creditAccount } from "./credit";

const hub = await testHub();
let accounts = 0;
const newAccount = async (amount: bigint) => {
  const id = await createAccount(hub, { email: `money-${(accounts += 1)}@example.org` });
  await creditAccount(hub, id, { amount });
  return id;
};
const balances = async (id: number) =>
  (
    await hub.db.query<{ balance: bigint; reserved: bigint }>("SELECT balance, reserved FROM account WHERE id = $1", [
      id,
    ])
  )[0]!;

test("of 200 concurrent holds on a balance that covers one, exactly one is accepted", async () => {
  for (let round = 0; round < soakCount(5, 50); round += 1) {
    const account = await newAccount(9_200_000n);
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, () => insertWithHold(hub, queuedGeneration(account, 9_200_000n))),
    );
    expect(verdicts.filter((verdict) => verdict === "accepted")).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === "insufficient_credits")).toHaveLength(199);
    expect(await balances(account)).toEqual({ balance: 9_200_000n, reserved: 9_200_000n });
  }
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("100 concurrent requests with one idempotency key make one row and one hold, and affect no others", async () => {
  const account = await newAccount(1_000n);
  const otherAccount = await newAccount(1_000n);
  const key = { idempotency_key: "same", fingerprint: Buffer.alloc(32) };
  const verdicts = await Promise.all([
    ...Array.from({ length: 100 }, () => insertWithHold(hub, { ...queuedGeneration(account, 10n), ...key })),
    ...Array.from({ length: 20 }, () => insertWithHold(hub, queuedGeneration(otherAccount, 10n))),
  ]);
  expect(verdicts.slice(0, 100).filter((verdict) => verdict === "accepted")).toHaveLength(1);
  expect(verdicts.slice(0, 100).filter((verdict) => verdict === "duplicate_key")).toHaveLength(99);
  expect(new Set(verdicts.slice(100))).toEqual(new Set(["accepted"]));
  expect((await balances(account)).reserved).toBe(10n);
  expect((await balances(otherAccount)).reserved).toBe(200n);
});

test("accepts a small hold although a large one of the same account in the same statement is rejected", async () => {
  const account = await newAccount(100n);
  const verdicts = await Promise.all([
    insertWithHold(hub, queuedGeneration(account, 40n)),
    insertWithHold(hub, queuedGeneration(account, 500n)),
    insertWithHold(hub, queuedGeneration(account, 60n)),
  ]);
  expect(verdicts).toEqual(["accepted", "insufficient_credits", "accepted"]);
});

test("a generation settles once under concurrent calls", async () => {
  const account = await newAccount(100n);
  const generation = queuedGeneration(account, 30n);
  await insertWithHold(hub, generation);
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      index % 2
        ? finishGeneration(hub, { id: generation.id, from: ["queued"], to: "canceled" })
        : finishGeneration(hub, {
            id: generation.id,
            from: ["queued"],
            to: "failed",
            error: { code: "timeout", message: "-", retryable: false },
          }),
    ),
  );
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await balances(account)).toEqual({ balance: 100n, reserved: 0n });
});

test("a reference is credited once under ten concurrent calls", async () => {
  const account = await newAccount(1n);
  const reference = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => creditAccount(hub, account, { amount: 5n, reference })),
  );
  expect(answers.filter(({ credited }) => credited)).toHaveLength(1);
  expect((await balances(account)).balance).toBe(6n);
});

test("a correction cannot take held money", async () => {
  const account = await newAccount(10n);
  await insertWithHold(hub, queuedGeneration(account, 8n));
  await expect(creditAccount(hub, account, { amount: -3n })).rejects.toMatchObject({ code: "insufficient_credits" });
  expect((await creditAccount(hub, account, { amount: -2n })).balance).toBe(8n);
});

test("the database rejects inconsistent balances and entries", async () => {
  const account = await newAccount(10n);
  const generation = queuedGeneration(account, 10n);
  await insertWithHold(hub, generation);
  const rejected = (sql: string, values: unknown[] = [generation.id]) =>
    expect(hub.db.query(sql, values)).rejects.toThrow();
  await rejected("UPDATE generation SET status = 'succeeded' WHERE id = $1");
  await rejected("UPDATE generation SET billed_cost = 11 WHERE id = $1");
  await rejected("UPDATE generation SET settled_at = created_at WHERE id = $1");
  await rejected("UPDATE account SET balance = 9 WHERE id = $1", [account]);
  await rejected("UPDATE account SET reserved = -1 WHERE id = $1", [account]);
  await rejected("UPDATE ledger_entry SET amount = 1 WHERE account_id = $1", [account]);
  await rejected("DELETE FROM ledger_entry WHERE account_id = $1", [account]);
  await rejected("TRUNCATE ledger_entry", []);
});
