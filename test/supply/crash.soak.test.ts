import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ctx } from "../../server/context";
import type { Hub } from "../../server/domain/hub";
import { createAccount } from "../../server/domain/people/create-account";
import { runAudit } from "../../server/domain/audit/audit";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { hashOf } from "../insert-file";
import { hubWithEngine } from "../engine";
import { makePng } from "../media/png";
import { seed } from "../soak";
import { forkHub } from "../webhooks/fork-hub";

const GENERATIONS = 100;
const CONTENTS = 60;
const KILLS = 10;

/** Creates small images that differ. */
const makePictures = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => makePng({ r: n, g: 255 - n, b: 0 }, { width: 8, height: 8 })));

test(`${GENERATIONS} generations that wait for uploads in any order each start once, despite ${KILLS} kills between an upload and its notice`, async () => {
  const hub = await hubWithEngine();
  const account = await createAccount(hub, { email: "crash@example.org" });
  await creditAccount(hub, account, { amount: 25_000_000_000n });
  const caller = { id: account, email: "", member: false, balance: 0n, reserved: 0n };
  const ctx: Ctx<Hub> = { hub, account: caller, actor: { kind: "user" }, requestId: "test" };
  const pictures = await makePictures(CONTENTS);
  const orders = fc.sample(
    fc.tuple(...Array.from({ length: GENERATIONS }, () => fc.subarray(pictures, { minLength: 1, maxLength: 3 }))),
    { seed, numRuns: 1 },
  )[0]!;
  const [order] = fc.sample(fc.shuffledSubarray(pictures, { minLength: CONTENTS }), { seed, numRuns: 1 });

  for (const [n, wanted] of orders.entries()) {
    // Only a few are generated, because the starts are what counts.
    const prompt = n % 5 === 0 ? "a tree" : "[fail] a tree";
    const input = { prompt, image_input: wanted.map((picture) => `sha256:${hashOf(picture)}`) };
    const { generation } = await startGeneration(ctx, { model: "sandbox-image", input }, null);
    expect(generation.missing).toHaveLength(wanted.length);
  }
  const each = Math.ceil(CONTENTS / KILLS);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const contents = order!.slice(kill * each, (kill + 1) * each).map((picture) => picture.toString("base64"));
    await (await forkHub(hub, {})).storeAndDie({ account, contents });
  }
  await hub.startEngine();
  hub.publish({ name: "hub/sweep", data: {} });

  const rows = () =>
    hub.db.query<{ status: string; attempts: bigint; code: string | null }>(
      `SELECT status, error->>'code' AS code, (SELECT count(*) FROM attempt WHERE generation_id = generation.id) AS attempts
         FROM generation ORDER BY id`,
    );
  const expected = orders.map((_, n) =>
    n % 5 === 0
      ? { status: "succeeded", code: null, attempts: 1n }
      : { status: "failed", code: "provider_error", attempts: 1n },
  );
  await expect.poll(rows, { timeout: 300_000, interval: 200 }).toEqual(expected);
  expect((await runAudit(hub.db)).violations).toEqual([]);
}, 600_000);
