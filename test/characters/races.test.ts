import { expect, test, vi } from "vitest";
import { getCharacter } from "../../server/domain/characters/character";
import { createCharacter, deleteCharacter, updateCharacter } from "../../server/domain/characters/edit-character";
import type { Account, Ctx } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { fileUrl } from "../../server/domain/files/file";
import { cancelCharacter, resumeCharacter, startCharacter } from "../../server/domain/characters/training";
import type { Hub } from "../../server/domain/hub";
import { isAppError } from "../../server/errors";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { insertFile } from "../insert-file";
import { soakCount } from "../soak";
import { createTestTrainer } from "./test-trainer";

const ROUNDS = soakCount(40, 1_000);
vi.setConfig({ testTimeout: soakCount(120_000, 600_000) });
const hub = await testHub({ RUNNING_PER_ACCOUNT: "1000000" });
const { account } = await newCustomer(hub, { credit: 1_000 });
const ctx: Ctx<Hub> = { hub, account: { id: account } as Account, actor: { kind: "user" }, requestId: "test" };
const trainer = createTestTrainer(hub);

/** Returns `done` or the code of the rejection, and rejects on any other error. */
const outcomeOf = (move: Promise<unknown>): Promise<string> =>
  move.then(
    () => "done",
    (error: unknown) => {
      if (!isAppError(error)) throw error;
      return error.code;
    },
  );
const fields = {
  name: "Ada",
  base_model: "sandbox-trainer",
  trigger_word: null,
  images: [fileUrl(hub, await insertFile(hub, account, "a picture"))],
  parameters: {},
};
const create = async () => String((await createCharacter(ctx, fields)).id);
const start = (id: string) => startCharacter(ctx, id, {});
const reserved = async () =>
  (await hub.db.query<{ reserved: bigint }>("SELECT reserved FROM account WHERE id = $1", [account]))[0]!.reserved;
const trainings = (id: string) =>
  hub.db.query<{ status: string; settled: boolean; charges: number }>(
    `SELECT g.status, g.settled_at IS NOT NULL AS settled,
            (SELECT count(*)::int FROM ledger_entry e WHERE e.generation_id = g.id) AS charges
     FROM generation g WHERE g.character_id = $1 ORDER BY g.character_version`,
    [id],
  );

test("exactly one of many concurrent starts succeeds", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [id, before] = [await create(), await reserved()];
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(start(id))));
    expect(outcomes.toSorted()).toEqual(["done", "invalid_state", "invalid_state", "invalid_state"]);
    expect(await trainings(id)).toHaveLength(1);
    expect((await reserved()) - before).toBe(60_000_000n);
    await cancelCharacter(ctx, id);
    expect((await Promise.all([1, 2].map(() => outcomeOf(resumeCharacter(ctx, id))))).toSorted()).toEqual([
      "done",
      "invalid_state",
    ]);
    await cancelCharacter(ctx, id);
    expect(await reserved()).toBe(before);
  }
});

/** In some rounds the training already runs, or was canceled, so that each action sometimes succeeds. */
async function prepare(id: string, round: number): Promise<boolean> {
  if (round % 2 === 1) return false;
  await start(id);
  if (round % 4 === 2) await cancelCharacter(ctx, id);
  return true;
}

test("concurrent starts, changes, cancellations, resumes, a deletion and a worker leave one state and one settlement each", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const [id, before] = [await create(), await reserved()];
    const starts = await prepare(id, round);
    const work = async () => {
      const leased = await trainer.leaseJob().catch(() => null);
      if (leased) await trainer.complete(leased, 0);
    };
    const actions: Record<string, () => Promise<unknown>> = {
      start: () => start(id),
      cancel: () => cancelCharacter(ctx, id),
      resume: () => resumeCharacter(ctx, id),
      update: () => updateCharacter(ctx, id, { parameters: { steps: 3 } }),
      delete: () => deleteCharacter(ctx, id),
      work,
      startAgain: () => start(id),
    };
    const order = Object.keys(actions);
    for (let turn = 0; turn < round % order.length; turn += 1) order.push(order.shift()!);
    const run = async (name: string) => [name, await outcomeOf(actions[name]!())] as const;
    // Sometimes one action starts before the others.
    const ahead = round % 3 === 0 ? [await run(order.shift()!)] : [];
    const outcomes = [...ahead, ...(await Promise.all(order.map(run)))];
    for (const [name, outcome] of outcomes) seen.add(`${name} ${outcome}`);
    const done = (name: string) => outcomes.filter(([move, outcome]) => move === name && outcome === "done").length;

    const rows = await trainings(id);
    const started = Number(starts) + done("start") + done("startAgain") + done("resume");
    expect(rows).toHaveLength(started);
    const open = rows.filter(({ settled }) => !settled);
    expect(open.length).toBeLessThanOrEqual(done("delete") > 0 ? 0 : 1);
    expect(await reserved()).toBe(before + 60_000_000n * BigInt(open.length));
    for (const { charges } of rows) expect(charges).toBeLessThanOrEqual(1);
    if (done("delete") === 0) {
      const { training } = await getCharacter(ctx, id);
      expect(training).toBe(rows.at(-1)?.status ?? null);
      await outcomeOf(cancelCharacter(ctx, id));
    }
    expect(await reserved()).toBe(before);
  }
  expect([...seen].filter((outcome) => outcome.startsWith("delete")).toSorted()).toEqual([
    "delete done",
    "delete invalid_state",
  ]);
  for (const outcome of ["start done", "cancel done", "resume done", "update done", "cancel invalid_state"]) {
    expect([...seen]).toContain(outcome);
  }
});

test("the audit finds no violation after these races", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
