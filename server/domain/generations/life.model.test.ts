import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { queuedGeneration, waitingGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import { hashOf, insertFile } from "../../../test/insert-file";
import { seed, soakCount } from "../../../test/soak";
import { createAccount } from "../accounts/account";
import { runAudit } from "../audit/audit";
import { creditAccount } from "../ledger/credit";
import { queueSupplied, onFileStored } from "./supply";
import { insertWithHold } from "./insert-with-hold";
import { markRunning } from "./mark-running";
import { finishGeneration } from "./finish";
import { type FinalStatus, type Status, statuses, transitions } from "./transitions";

/** The reference model of an account and its generations, in exact arithmetic. */
interface Reference {
  balance: bigint;
  /** The hashes of the account's files. */
  held: Set<string>;
  jobs: { id: string; estimate: bigint; status: Status; billed: bigint | null; missing: Set<string> }[];
}

vi.setConfig({ testTimeout: soakCount(30_000, 300_000) });
const SLOTS = 3;
const hub = await testHub({ RUNNING_PER_ACCOUNT: String(SLOTS) });
let accounts = 0;

const unsettled = ({ jobs }: Reference) => jobs.filter(({ status }) => transitions[status].length > 0);
const reserved = (model: Reference) => unsettled(model).reduce((sum, { estimate }) => sum + estimate, 0n);
const running = ({ jobs }: Reference) => jobs.filter(({ status }) => status === "running").length;

const amount = fc.bigInt({ min: 0n, max: 2_000n });
const contents = ["a", "b", "c"];
const index = fc.nat({ max: 30 });
const command = fc.oneof(
  fc.record({ do: fc.constant("credit" as const), amount: fc.bigInt({ min: -500n, max: 1_500n }) }),
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
  const rows = await hub.db.query("SELECT status, billed_cost FROM generation WHERE id = $1", [job.id]);
  expect(rows).toEqual([{ status: to, billed_cost: job.billed }]);
}

async function runCredit(account: number, model: Reference, delta: bigint) {
  if (delta === 0n) return;
  const covered = model.balance + delta >= reserved(model);
  const answer = await creditAccount(hub, account, { amount: delta }).catch((error: { code: string }) => error.code);
  expect(answer).toEqual(covered ? { balance: model.balance + delta, credited: true } : "insufficient_credits");
  if (covered) model.balance += delta;
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
      const model: Reference = { balance: 0n, held: new Set(), jobs: [] };
      await run(account, model, { do: "credit", amount: 3_000n });
      for (const step of commands) await run(account, model, step);
      const [row] = await hub.db.query("SELECT balance, reserved, running FROM account WHERE id = $1", [account]);
      expect(row).toEqual({ balance: model.balance, reserved: reserved(model), running: running(model) });
      const rows = await hub.db.query("SELECT id, status FROM generation WHERE account_id = $1 ORDER BY id", [account]);
      expect(rows).toEqual(model.jobs.map(({ id, status }) => ({ id, status })));
    }),
    { seed, numRuns: soakCount(40, 1_000) },
  );
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("the audit finds no violation after concurrent events of all kinds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async (commands) => {
      const account = await createAccount(hub, { email: `model-${(accounts += 1)}@example.org` });
      await creditAccount(hub, account, { amount: 5_000n });
      const ids = Array.from({ length: 8 }, (_, n) =>
        waitingGeneration(account, 500n, contents.slice(n % 4), hub.now()),
      );
      await Promise.all(ids.map((generation) => insertWithHold(hub, generation)));
      const error = { code: "timeout", message: "-", retryable: false } as const;
      await Promise.all(
        commands.map(async (step) => {
          if (step.do === "credit")
            return step.amount === 0n ? null : creditAccount(hub, account, { amount: step.amount }).catch(() => null);
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
    { seed, numRuns: soakCount(20, 300) },
  );
  // Every queued generation was dispatched.
  expect(await queueSupplied(hub, "all")).toBe(0);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("a start concurrent with an end leaves no slot occupied", async () => {
  for (let round = 0; round < soakCount(50, 1_000); round += 1) {
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
