import { expect, test, vi } from "vitest";
import { failSupplyTimedOut } from "../../server/domain/generations/end/fail-waiting";
import { queueSupplied, onFileStored } from "../../server/domain/generations/queue/supply";
import type { Ctx } from "../../server/context";
import type { Hub } from "../../server/domain/hub";
import { createAccount } from "../../server/domain/people/create-account";
import { runAudit } from "../../server/domain/audit/audit";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { cancelStoredGeneration } from "../../server/domain/generations/end/cancel";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { testHub } from "../hub";
import { hashOf, insertFile } from "../insert-file";
import { soakCount } from "../soak";

const ROUNDS = soakCount(60, 1_000);
vi.setConfig({ testTimeout: soakCount(120_000, 300_000) });
const hub = await testHub({ RUNNING_PER_ACCOUNT: "1000000" });
const id = await createAccount(hub, { email: "races@example.org" });
await creditAccount(hub, id, { amount: 1_000_000_000_000n });
const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
const ctx: Ctx<Hub> = { hub, account, actor: { kind: "user" }, requestId: "test" };

const nameOf = (content: string) => `sha256:${hashOf(content)}`;
const create = async (...contents: string[]) =>
  (
    await startGeneration(
      ctx,
      { model: "sandbox-image", input: { prompt: "p", image_input: contents.map(nameOf) } },
      null,
    )
  ).generation;
async function upload(content: string) {
  await insertFile(hub, id, content);
  await onFileStored(hub, id, Buffer.from(hashOf(content), "hex"));
}
const statusOf = async (generation: string) =>
  (
    await hub.db.query<{ status: string; settled: boolean }>(
      "SELECT status, settled_at IS NOT NULL AS settled FROM generation WHERE id = $1",
      [generation],
    )
  )[0]!;
const dispatchCount = (generation: string) =>
  hub.published.filter(({ name, data }) => name === "generation/queued" && "id" in data && data.id === generation)
    .length;
const reserved = async () =>
  (await hub.db.query<{ reserved: bigint }>("SELECT reserved FROM account WHERE id = $1", [id]))[0]!.reserved;

test("a create concurrent with its uploads is queued and dispatched once", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b] = [`first ${round}`, `second ${round}`];
    const [generation] = await Promise.all([create(a, b), upload(a), upload(b)]);
    expect(await statusOf(generation.id)).toEqual({ status: "queued", settled: false });
    expect(dispatchCount(generation.id)).toBe(1);
  }
});

test("a concurrent cancel, upload, expiry and start leave one state and one release of the hold", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const content = `race ${round}`;
    const before = await reserved();
    const generation = await create(content);
    expect(await reserved()).toBe(before + generation.estimated_cost);
    if (round % 3 === 0) hub.clock.advance(25 * 3_600_000);
    const stop = () => cancelStoredGeneration(ctx, generation.id).catch(() => null);
    const run = () => markRunning(hub, { generationId: generation.id, runId: "run" });
    // In some rounds one action starts before the others, so that each of them sometimes succeeds.
    if (round % 12 === 1) await upload(content).then(run);
    if (round % 12 === 2) await stop();
    if (round % 12 === 3) await failSupplyTimedOut(hub);
    const actions = [stop, () => upload(content), () => failSupplyTimedOut(hub), () => queueSupplied(hub, "all"), run];
    for (let offset = 0; offset < round % actions.length; offset += 1) actions.push(actions.shift()!);
    await Promise.all(actions.map((action) => action()));
    const { status, settled } = await statusOf(generation.id);
    seen.add(status);
    expect(await reserved()).toBe(before + (settled ? 0n : generation.estimated_cost));
    expect(dispatchCount(generation.id)).toBeLessThanOrEqual(1);
    if (status === "running" || status === "queued") expect(dispatchCount(generation.id)).toBe(1);
  }
  expect([...seen].toSorted()).toEqual(["canceled", "failed", "running"]);
});

test("the audit finds no violation after these races, and no generation waits for existing content", async () => {
  expect(await queueSupplied(hub, "all")).toBe(0);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
