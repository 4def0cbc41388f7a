import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { contextOf } from "../../server/context";
import { createBudget } from "../../server/domain/budgets/change-budget";
import { eraseContent } from "../../server/domain/erasure";
import { expireFiles } from "../../server/domain/files";
import { storeOutput } from "../../server/domain/files/store-output";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { hashEndUser } from "../../server/domain/labels";
import { newId } from "../../server/lib/id";
import { newCustomer } from "../api/customer";
import { chunksOf } from "../file-hub";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { listFileNames } from "../list-file-names";
import { createRandom } from "../random";
import { seed } from "../soak";
import { findText } from "./find-text";
import { startProgram } from "./start-program";

const KILLS = 30;
const PER_KILL = 30;
const COST = 1_000n;
const canary = "canarykill4711";

const hub = await testHub({ BASE_URL: "http://localhost:3000" });
const { account, email } = await newCustomer(hub, { credit: 10 });
const ctx = contextOf(hub, { id: account, email, member: false, balance: 0n, reserved: 0n }, { kind: "user" }, "test");
const scope = { each_end_user: true as const };
await hub.db.transaction((tx) => createBudget(tx, ctx, { name: "users", amount: 10, window: "total", scope }));
const random = createRandom(seed);

async function addGeneration(): Promise<string> {
  const generation = { ...queuedGeneration(account, COST), input: { prompt: canary }, end_user: canary };
  const end_user_hash = hashEndUser(hub, account, canary);
  const { id } = generation;
  expect(await insertWithHold(hub, { ...generation, end_user_hash })).toBe("accepted");
  await markRunning(hub, { generationId: id, runId: newId() });
  const output = { mediaType: "image/png", content: chunksOf(canary) };
  await storeOutput(hub, { generationId: id, accountId: account, index: 0 }, output);
  await finishGeneration(hub, { id, from: ["running"], to: "succeeded", outputs: 1 });
  return id;
}

/** Returns the generations that say that they are erased, those that still have content, and those with a tombstone. */
async function readState() {
  const rows = await hub.db.query<{ id: string; is_erased: boolean; has_content: boolean; has_output: boolean }>(
    `SELECT g.id, g.erased_at IS NOT NULL AS is_erased,
            strpos(g::text, $1) > 0 OR EXISTS (SELECT FROM event e WHERE e.generation_id = g.id AND strpos(e::text, $1) > 0)
            OR EXISTS (SELECT FROM generation_words w WHERE w.generation_id = g.id AND strpos(w.words::text, $1) > 0) AS has_content,
            EXISTS (SELECT FROM file f WHERE f.generation_id = g.id AND f.stored_at IS NOT NULL) AS has_output
     FROM generation g`,
    [canary],
  );
  const tombstones = new Set<string>();
  for await (const batch of hub.tombstones.read()) for (const { id } of batch.tombstones) tombstones.add(id);
  return { rows, tombstones };
}

const countErased = async () => {
  const [row] = await hub.db.query<{ count: bigint }>("SELECT count(*) FROM generation WHERE erased_at IS NOT NULL");
  return Number(row!.count);
};

test(`after each of ${KILLS} kills a generation is erased as a whole, or not at all`, async () => {
  let wasInterrupted = false;
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (let n = 0; n < PER_KILL; n += 1) await addGeneration();
    const { child, exited } = await startProgram(hub, "erasing-process.ts");
    const enough = (await countErased()) + Math.floor(random() * (PER_KILL / 2));
    await expect.poll(countErased, { timeout: 30_000, interval: 1 }).toBeGreaterThan(enough);
    child.kill("SIGKILL");
    await exited;
    const { rows, tombstones } = await readState();
    for (const { id, is_erased, has_content, has_output } of rows) {
      expect({ id, has_content, has_output }).toEqual({ id, has_content: !is_erased, has_output: !is_erased });
      if (is_erased) expect(tombstones).toContain(id);
    }
    wasInterrupted ||= rows.some(({ is_erased }) => !is_erased);
  }
  expect(wasInterrupted).toBe(true);

  const { rows } = await readState();
  await eraseContent(hub, rows.map(({ id }) => id)); // prettier-ignore
  await expireFiles(hub, KILLS * PER_KILL);
  expect(await findText(hub, canary)).toEqual([]);
  expect(await listFileNames(`${hub.folder}/files`)).toEqual([]);
  // The end user is still counted, by all of them.
  const spent = await hub.db.query("SELECT reserved, charged FROM budget_spending");
  expect(spent).toEqual([{ reserved: 0n, charged: BigInt(KILLS * PER_KILL) * COST }]);
  expect((await runAudit(hub.db, { isFull: true })).violations).toEqual([]);
});
