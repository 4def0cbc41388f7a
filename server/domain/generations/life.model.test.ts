import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { queuedGeneration, waitingGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import { hashOf, insertFile } from "../../../test/insert-file";
import { seed, soakCount } from "../../../test/soak";
import { testOperator } from "../../../test/operator";
import { createAccount } from "../people/create-account";
import { runAudit } from "../audit/audit";
import { creditAccount } from "../ledger/credit";
import { bookPayment, lockPayment } from "../payments/book-payment";
import { recordPayment } from "../payment-records/record-payment";
import { queueSupplied, onFileStored } from "./queue/supply";
import { insertWithHold } from "./intake/insert-with-hold";
import { markRunning } from "./run/mark-running";
import { finishGeneration } from "./end/finish";
import { type FinalStatus, type Status, statuses, transitions } from "./row/transitions";

/** The reference model of an account and its generations, in exact arithmetic. */
interface Reference {
  balance: bigint;
  owed: bigint;
  payments: { id: string; cents: number; sums: Record<Movement, number> }[];
  /** The hashes of the account's files. */
  held: Set<string>;
  jobs: { id: string; estimate: bigint; status: Status; billed: bigint | null; missing: Set<string> }[];
}

vi.setConfig({ testTimeout: soakCount(120_000, 300_000) });
const SLOTS = 3;
const hub = await testHub({ RUNNING_PER_ACCOUNT: String(SLOTS) });
let accounts = 0;
let payments = 0;

const unsettled = ({ jobs }: Reference) => jobs.filter(({ status }) => transitions[status].length > 0);
const reserved = (model: Reference) => unsettled(model).reduce((sum, { estimate }) => sum + estimate, 0n);
const running = ({ jobs }: Reference) => jobs.filter(({ status }) => status === "running").length;

const movements = ["refunded", "refund_failed", "disputed", "reinstated"] as const;
type Movement = (typeof movements)[number];
// Costs are odd parts of a cent, payments are cents.
const UNIT = 10_007n;
const NANO_PER_CENT = 10_000_000n;
const units = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map((count) => count * UNIT);
const amount = units(0n, 2_000n);
const contents = ["a", "b", "c"];
const index = fc.nat({ max: 30 });
const command = fc.oneof(
  fc.record({ do: fc.constant("credit" as const), amount: units(-500n, 1_500n) }),
  fc.record({ do: fc.constant("pay" as const), cents: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    do: fc.constant("reverse" as const),
    index: fc.nat({ max: 5 }),
    movement: fc.constantFrom(...movements),
    cents: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ do: fc.constant("accept" as const), amount, names: fc.subarray(contents, { maxLength: 2 }) }),
  fc.record({ do: fc.constant("upload" as const), content: fc.constantFrom(...contents) }),
  fc.record({ do: fc.constant("begin" as const), index }),
  fc.record({
    do: fc.constant("finish" as const),
    index,
    to: fc.constantFrom<FinalStatus>("succeeded", "failed", "canceled"),
    from: fc.subarray(["awaiting_supply", "queued", "running"] as Status[], { minLength: 1 }),
    cost: fc.option(amount, { nil: undefined }),
  }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

type Job = Reference["jobs"][number];
type Finish = Extract<Command, { do: "finish" }>;
type Accept = Extract<Command, { do: "accept" }>;

async function run(account: number, model: Reference, step: Command): Promise<void> {
  if (step.do === "credit") return runCredit(account, model, step.amount);
  if (step.do === "pay") return runPay(account, model, step.cents);
  if (step.do === "reverse") return runReverse(model, step);
  if (step.do === "accept") return runAccept(account, model, step);
  if (step.do === "upload") return runUpload(account, model, step.content);
  const job = model.jobs[step.index % Math.max(model.jobs.length, 1)];
  if (job) await (step.do === "begin" ? runBegin(model, job) : runFinish(model, job, step));
}

async function runBegin(model: Reference, job: Job) {
  const free = running(model) < SLOTS;
  const expected = { queued: free ? "running" : "no_slot", running: "running" }[job.status as string] ?? "not_queued";
  expect(await markRunning(hub, { generationId: job.id, runId: "run" })).toBe(expected);
  if (expected === "running") job.status = "running";
}

async function runFinish(model: Reference, job: Job, { to, cost, from: wanted }: Finish) {
  const from = wanted.filter((status) => transitions[status].includes(to));
  const error = to === "failed" ? ({ code: "timeout", message: "-", retryable: false } as const) : undefined;
  const ended = await finishGeneration(hub, { id: job.id, from, to, cost, error });
  expect(ended !== null).toBe(from.includes(job.status));
  if (!ended) return;
  const due = cost ?? (to === "succeeded" ? job.estimate : 0n);
  job.billed = job.status === "running" ? (due < job.estimate ? due : job.estimate) : null;
  job.status = to;
  model.balance -= job.billed ?? 0n;
  repay(model, model.balance - reserved(model));
  const rows = await hub.db.query("SELECT status, billed_cost FROM generation WHERE id = $1", [job.id]);
  expect(rows).toEqual([{ status: to, billed_cost: job.billed }]);
}

async function runCredit(account: number, model: Reference, delta: bigint) {
  if (delta === 0n) return;
  const covered = model.balance + delta >= reserved(model);
  const answer = await creditAccount(hub, account, { amount: delta }).catch((error: { code: string }) => error.code);
  if (covered) give(model, delta);
  expect(answer).toEqual(covered ? { balance: model.balance, credited: true } : "insufficient_credits");
}

/** Repays debt with what becomes available. */
function repay(model: Reference, available: bigint) {
  const repaid = model.owed < available ? model.owed : available;
  model.balance -= repaid;
  model.owed -= repaid;
}

function give(model: Reference, received: bigint) {
  model.balance += received;
  if (received > 0n) repay(model, received);
}

function take(model: Reference, lost: bigint) {
  const available = model.balance - reserved(model);
  const taken = lost < available ? lost : available;
  model.balance -= taken;
  model.owed += lost - taken;
}

async function pay(account: number, cents: number) {
  const reference = `payment ${(payments += 1)}`;
  const request = { accountId: account, amount: cents, tax: 0, reference, note: null };
  return (await recordPayment(hub, testOperator, request)).payment.id;
}

async function runPay(account: number, model: Reference, cents: number) {
  const id = await pay(account, cents);
  give(model, BigInt(cents) * NANO_PER_CENT);
  model.payments.push({ id, cents, sums: { refunded: 0, refund_failed: 0, disputed: 0, reinstated: 0 } });
}

type Reverse = Extract<Command, { do: "reverse" }>;

/** Adds to one of a payment's sums, as far as the sums allow, and books it. */
async function reverse(id: string, { movement, cents }: Reverse) {
  return hub.db.transaction(async (tx) => {
    const [payment] = await lockPayment(tx, id);
    const { refunded, refund_failed, disputed, reinstated } = payment!;
    const room = {
      refunded: cents,
      refund_failed: refunded - refund_failed,
      disputed: cents,
      reinstated: disputed - reinstated,
    };
    const sums = { refunded, refund_failed, disputed, reinstated };
    sums[movement] += Math.min(cents, room[movement]);
    await bookPayment(hub, tx, payment!, sums);
    return sums;
  });
}

const reversedOf = (cents: number, { refunded, refund_failed, disputed, reinstated }: Record<Movement, number>) => {
  const refund = Math.min(refunded - refund_failed, cents);
  return { refund, dispute: Math.min(refunded - refund_failed + disputed - reinstated, cents) - refund };
};

async function runReverse(model: Reference, step: Reverse) {
  const payment = model.payments[step.index % Math.max(model.payments.length, 1)];
  if (!payment) return;
  const before = reversedOf(payment.cents, payment.sums);
  payment.sums = await reverse(payment.id, step);
  const after = reversedOf(payment.cents, payment.sums);
  const deltas = [after.refund - before.refund, after.dispute - before.dispute].sort((a, b) => a - b);
  for (const delta of deltas) {
    if (delta < 0) give(model, BigInt(-delta) * NANO_PER_CENT);
    else take(model, BigInt(delta) * NANO_PER_CENT);
  }
}

async function runAccept(account: number, model: Reference, { amount: estimate, names }: Accept) {
  const missing = names.filter((name) => !model.held.has(name));
  const generation = waitingGeneration(account, estimate, missing, hub.now());
  const covered = model.balance - reserved(model) >= estimate;
  expect(await insertWithHold(hub, generation)).toBe(covered ? "accepted" : "insufficient_credits");
  if (!covered) return;
  model.jobs.push({ id: generation.id, estimate, status: generation.status, billed: null, missing: new Set(missing) });
}

async function runUpload(account: number, model: Reference, content: string) {
  await upload(account, content);
  model.held.add(content);
  for (const job of model.jobs.filter(({ status }) => status === "awaiting_supply")) {
    job.missing.delete(content);
    if (job.missing.size === 0) job.status = "queued";
  }
}

async function upload(account: number, content: string) {
  await insertFile(hub, account, content);
  await onFileStored(hub, account, Buffer.from(hashOf(content), "hex"));
}

test("accounts and generations match the reference model in any order of events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
      const account = await createAccount(hub, { email: `model-${(accounts += 1)}@example.org` });
      const model: Reference = { balance: 0n, owed: 0n, payments: [], held: new Set(), jobs: [] };
      await run(account, model, { do: "credit", amount: 3_000n * UNIT });
      for (const step of commands) await run(account, model, step);
      const [row] = await hub.db.query("SELECT balance, reserved, owed, running FROM account WHERE id = $1", [account]);
      const { balance, owed } = model;
      expect(row).toEqual({ balance, reserved: reserved(model), owed, running: running(model) });
      const rows = await hub.db.query("SELECT id, status FROM generation WHERE account_id = $1 ORDER BY id", [account]);
      expect(rows).toEqual(model.jobs.map(({ id, status }) => ({ id, status })));
    }),
    { seed, numRuns: soakCount(20, 1_000) },
  );
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("the audit finds no violation after concurrent events of all kinds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async (commands) => {
      const account = await createAccount(hub, { email: `model-${(accounts += 1)}@example.org` });
      await creditAccount(hub, account, { amount: 5_000n * UNIT });
      const paid = await Promise.all([1, 2, 3].map((cents) => pay(account, cents)));
      const ids = Array.from({ length: 8 }, (_, n) =>
        waitingGeneration(account, 500n * UNIT, contents.slice(n % 4), hub.now()),
      );
      await Promise.all(ids.map((generation) => insertWithHold(hub, generation)));
      const error = { code: "timeout", message: "-", retryable: false } as const;
      await Promise.all(
        commands.map(async (step) => {
          if (step.do === "credit")
            return step.amount === 0n ? null : creditAccount(hub, account, { amount: step.amount }).catch(() => null);
          if (step.do === "pay") return pay(account, step.cents);
          if (step.do === "reverse") return reverse(paid[step.index % paid.length]!, step);
          if (step.do === "upload") return upload(account, step.content);
          if (step.do === "accept") {
            const generation = waitingGeneration(account, step.amount, step.names, hub.now());
            const verdict = await insertWithHold(hub, generation);
            return verdict === "accepted" && queueSupplied(hub, { id: generation.id });
          }
          const { id } = ids[step.index % ids.length]!;
          if (step.do === "begin") return markRunning(hub, { generationId: id, runId: "run" });
          const from = step.from.filter((status) => transitions[status].includes(step.to));
          return finishGeneration(hub, {
            id,
            from,
            to: step.to,
            cost: step.cost,
            error: step.to === "failed" ? error : undefined,
          });
        }),
      );
    }),
    { seed, numRuns: soakCount(10, 300) },
  );
  // Every queued generation was dispatched.
  expect(await queueSupplied(hub, "all")).toBe(0);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("a start concurrent with an end leaves no slot occupied", async () => {
  for (let round = 0; round < soakCount(20, 1_000); round += 1) {
    const account = await createAccount(hub, { email: `race-${round}@example.org` });
    await creditAccount(hub, account, { amount: 200n });
    const drafts = Array.from({ length: 4 }, () => queuedGeneration(account, 50n));
    await Promise.all(drafts.map((generation) => insertWithHold(hub, generation)));
    const from: Status[] = ["queued", "running"];
    await Promise.all(
      drafts.flatMap(({ id }) => [
        markRunning(hub, { generationId: id, runId: "run" }),
        finishGeneration(hub, { id, from, to: "canceled" }),
      ]),
    );
    const [row] = await hub.db.query("SELECT reserved, running FROM account WHERE id = $1", [account]);
    expect(row).toEqual({ reserved: 0n, running: 0 });
  }
});

test("the database allows exactly the listed status transitions", async () => {
  const account = await createAccount(hub, { email: "moves@example.org" });
  await creditAccount(hub, account, { amount: 1_000_000n });
  for (const from of statuses) {
    for (const to of statuses.filter((status) => status !== from)) {
      const { id } = queuedGeneration(account, 1n);
      const row = `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider, timeout_seconds, created_at, started_at, completed_at, settled_at, error, missing, deadline_at, fence, leased_at, metered_at, lease_expires_at)
        VALUES ($1, $2, 'm', true, $3, '{}', 0, CASE WHEN $4 THEN 0 END, '{}', 'worker', 1, now(), CASE $3 WHEN 'awaiting_supply' THEN NULL ELSE now() END, CASE WHEN $4 THEN now() END, CASE WHEN $4 THEN now() END, CASE $3 WHEN 'failed' THEN '{}'::jsonb END,
                CASE $3 WHEN 'awaiting_supply' THEN '[{}]'::jsonb END, now(), 1, now(), now(), now())`;
      const final = transitions[from].length === 0;
      const wanted = transitions[from].includes(to);
      const attempt = hub.db.transaction(async (tx) => {
        await tx.query(row, [id, account, from, final]);
        const ends = transitions[to].length === 0;
        await tx.query(
          `UPDATE generation SET status = $2, missing = CASE $2 WHEN 'awaiting_supply' THEN '[{}]'::jsonb END, completed_at = CASE WHEN $3 THEN now() END, settled_at = CASE WHEN $3 THEN now() END,
             billed_cost = CASE WHEN $3 THEN 0 END, error = CASE $2 WHEN 'failed' THEN '{}'::jsonb END WHERE id = $1`,
          [id, to, ends],
        );
        throw new Error("moved");
      });
      await expect(attempt, `${from} to ${to}`).rejects.toThrow(wanted ? "moved" : "cannot move");
    }
  }
});
