import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHub } from "../../../test/hub";
import { draft } from "../../../test/draft";
import { createAccount } from "../accounts/account";
import { runAudit } from "../audit/audit";
import { insertWithHold } from "../generations/insert-with-hold";
import { finishGeneration } from "../generations/finish";
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
  for (let round = 0; round < 50; round += 1) {
    const account = await newAccount(9_200_000n);
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, () => insertWithHold(hub, draft(account, 9_200_000n))),
    );
    expect(verdicts.filter((verdict) => verdict === "accepted")).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === "insufficient_credits")).toHaveLength(199);
    expect(await balances(account)).toEqual({ balance: 9_200_000n, reserved: 9_200_000n });
  }
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("100 concurrent requests with one idempotency key make one row and one hold, and affect no others", async () => {
  const account = await newAccount(1_000n);
  const stranger = await newAccount(1_000n);
  const key = { idempotency_key: "same", fingerprint: Buffer.alloc(32) };
  const verdicts = await Promise.all([
    ...Array.from({ length: 100 }, () => insertWithHold(hub, { ...draft(account, 10n), ...key })),
    ...Array.from({ length: 20 }, () => insertWithHold(hub, draft(stranger, 10n))),
  ]);
  expect(verdicts.slice(0, 100).filter((verdict) => verdict === "accepted")).toHaveLength(1);
  expect(verdicts.slice(0, 100).filter((verdict) => verdict === "duplicate_key")).toHaveLength(99);
  expect(new Set(verdicts.slice(100))).toEqual(new Set(["accepted"]));
  expect((await balances(account)).reserved).toBe(10n);
  expect((await balances(stranger)).reserved).toBe(200n);
});

test("a small hold is accepted although a large one of the same account in the same statement is not", async () => {
  const account = await newAccount(100n);
  const verdicts = await Promise.all([
    insertWithHold(hub, draft(account, 40n)),
    insertWithHold(hub, draft(account, 500n)),
    insertWithHold(hub, draft(account, 60n)),
  ]);
  expect(verdicts).toEqual(["accepted", "insufficient_credits", "accepted"]);
});

test("a generation settles once under concurrent calls", async () => {
  const account = await newAccount(100n);
  const generation = draft(account, 30n);
  await insertWithHold(hub, generation);
  const endings = await Promise.all(
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
  expect(endings.filter(Boolean)).toHaveLength(1);
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
  await insertWithHold(hub, draft(account, 8n));
  await expect(creditAccount(hub, account, { amount: -3n })).rejects.toMatchObject({ code: "insufficient_credits" });
  expect((await creditAccount(hub, account, { amount: -2n })).balance).toBe(8n);
});

test("the database rejects inconsistent balances and entries", async () => {
  const account = await newAccount(10n);
  const generation = draft(account, 10n);
  await insertWithHold(hub, generation);
  const refused = (sql: string, values: unknown[] = [generation.id]) =>
    expect(hub.db.query(sql, values)).rejects.toThrow();
  await refused("UPDATE generation SET status = 'succeeded' WHERE id = $1");
  await refused("UPDATE generation SET billed_cost = 11 WHERE id = $1");
  await refused("UPDATE generation SET settled_at = created_at WHERE id = $1");
  await refused("UPDATE account SET balance = 9 WHERE id = $1", [account]);
  await refused("UPDATE account SET reserved = -1 WHERE id = $1", [account]);
  await refused("UPDATE ledger_entry SET amount = 1 WHERE account_id = $1", [account]);
  await refused("DELETE FROM ledger_entry WHERE account_id = $1", [account]);
  await refused("TRUNCATE ledger_entry", []);
});
