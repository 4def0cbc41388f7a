import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { advanceClosures } from "../../server/domain/closures/advance-closures";
import { erasePending } from "../../server/domain/closures/pending-erasure";
import { closeAccountByOperator } from "../../server/domain/closures/request-closing";
import { expireFiles } from "../../server/domain/files";
import { storeOutput } from "../../server/domain/files/store-output";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { accountRateId } from "../../server/domain/rates/key-rates";
import { newId } from "../../server/lib/id";
import { newCustomer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { chunksOf } from "../file-hub";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { listFileNames } from "../list-file-names";
import { testOperator } from "../operator";
import { createRandom } from "../random";
import { seed } from "../soak";
import { findText } from "./find-text";
import { startProgram } from "./start-program";

const KILLS = 30;
/** More than are erased in one batch. */
const GENERATIONS = 450;
/** Less time than erasing the rest takes on a fast machine. */
const MAX_KILL_MS = 200;
const HOUR_MS = 3_600_000;
/** After it, the sweep removes outputs whose content a killed process has left. */
const UNFINISHED_MS = 2 * HOUR_MS;
const canary = "canaryclosing4711";

const hub = await testHub({ BASE_URL: "http://localhost:3000" });
const random = createRandom(seed);

async function addGeneration(account: number, keyId: string): Promise<void> {
  const generation = {
    ...queuedGeneration(account, 1_000n),
    key_id: keyId,
    input: { prompt: canary },
    end_user: canary,
  };
  const { id } = generation;
  expect(await insertWithHold(hub, generation)).toBe("accepted");
  await markRunning(hub, { generationId: id, runId: newId() });
  const output = { mediaType: "image/png", content: chunksOf(canary) };
  await storeOutput(hub, { generationId: id, accountId: account, index: 0 }, output);
  await finishGeneration(hub, { id, from: ["running"], to: "succeeded", outputs: 1 });
}

const readClosure = async (account: number) => {
  const [row] = await hub.db.query<{ tombstone_at: Date | null; erased_at: Date | null }>(
    "SELECT tombstone_at, erased_at FROM closure WHERE account_id = $1",
    [account],
  );
  return row!;
};

test(`an account that closes is closed as a whole after ${KILLS} kills`, async () => {
  const { account, keyId } = await newCustomer(hub, { credit: 10 });
  for (let n = 0; n < GENERATIONS; n += 1) await addGeneration(account, keyId);
  for (const id of [keyId, accountRateId(account)])
    await hub.db.query("INSERT INTO key_rate (key_id, unit, seconds) VALUES ($1, 'tokens', '{}')", [id]);
  const earlier = deriveHub(hub, { now: () => new Date(hub.now().getTime() - 2 * HOUR_MS) });
  await closeAccountByOperator(earlier, testOperator, { id: account, balance: "give_up", days: 0 });

  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { child, exited } = await startProgram(hub, "closing-process.ts");
    const timer = setTimeout(() => child.kill("SIGKILL"), random() * MAX_KILL_MS);
    const [, signal] = await exited;
    clearTimeout(timer);
    if (signal === "SIGKILL") interrupted += 1;
    const [erased] = await hub.db.query("SELECT 1 FROM generation WHERE account_id = $1 AND erased_at IS NOT NULL LIMIT 1", [account]); // prettier-ignore
    if (erased) expect((await readClosure(account)).tombstone_at).not.toBeNull();
  }
  expect(interrupted).toBeGreaterThan(0);
  hub.clock.advance(UNFINISHED_MS);
  for (let n = 0; n < 3; n += 1) {
    await advanceClosures(hub);
    await erasePending(hub);
    await expireFiles(hub, GENERATIONS);
  }
  expect((await readClosure(account)).erased_at).not.toBeNull();
  expect(await findText(hub, canary)).toEqual([]);
  expect(await listFileNames(`${hub.folder}/files`)).toEqual([]);
  expect(await hub.db.query("SELECT 1 FROM key_rate")).toEqual([]);
  const given = await hub.db.query("SELECT 1 FROM ledger_entry WHERE account_id = $1 AND kind = 'given_up'", [account]);
  expect(given).toHaveLength(1);
  expect((await runAudit(hub.db, { isFull: true })).violations).toEqual([]);
});
