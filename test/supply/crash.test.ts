import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import type { Ctx } from "../../server/context";
import { createAccount } from "../../server/domain/accounts/account";
import { runAudit } from "../../server/domain/audit/audit";
import { startGeneration } from "../../server/domain/generations/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { hashOf } from "../keep-file";
import { seed, times } from "../soak";
import { forkHub } from "../webhooks/fork-hub";
import { hubWithoutEngine } from "../webhooks/hub-without-engine";

const GENERATIONS = times(20, 100);
const CONTENTS = times(16, 60);
const DEATHS = times(2, 10);

/** Small pictures that differ. */
const makePictures = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background: { r: n, g: 255 - n, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  );

test(
  `${GENERATIONS} generations wait for uploads that come in any order, and ${DEATHS} times kill -9 between an upload and its news: each starts once`,
  async () => {
    const hub = await hubWithoutEngine({});
    const account = await createAccount(hub, { email: "crash@example.org" });
    await creditAccount(hub, account, { amount: 25_000_000_000n });
    const caller = { id: account, email: "", member: false, balance: 0n, reserved: 0n };
    const ctx: Ctx = { hub, account: caller, actor: { kind: "user" }, requestId: "test" };
    const pictures = await makePictures(CONTENTS);
    const wishes = fc.sample(
      fc.tuple(...Array.from({ length: GENERATIONS }, () => fc.subarray(pictures, { minLength: 1, maxLength: 3 }))),
      { seed, numRuns: 1 },
    )[0]!;
    const [order] = fc.sample(fc.shuffledSubarray(pictures, { minLength: CONTENTS }), { seed, numRuns: 1 });

    for (const [n, wanted] of wishes.entries()) {
      // Few are drawn in earnest: it is starts that count.
      const prompt = n % 5 === 0 ? "a tree" : "[fail] a tree";
      const input = { prompt, image_input: wanted.map((picture) => `sha256:${hashOf(picture)}`) };
      const { generation } = await startGeneration(ctx, { model: "sandbox-image", input }, null);
      expect(generation.missing).toHaveLength(wanted.length);
    }
    const each = Math.ceil(CONTENTS / DEATHS);
    for (let death = 0; death < DEATHS; death += 1) {
      const contents = order!.slice(death * each, (death + 1) * each).map((picture) => picture.toString("base64"));
      await (await forkHub(hub, {})).uploadAndDie({ account, contents });
    }
    const survivor = await forkHub(hub, {});
    hub.publish({ name: "hub/sweep", data: {} });

    const rows = () =>
      hub.db.query<{ status: string; attempts: bigint; code: string | null }>(
        `SELECT status, error->>'code' AS code, (SELECT count(*) FROM attempt WHERE generation_id = generation.id) AS attempts
         FROM generation ORDER BY id`,
      );
    const expected = wishes.map((_, n) =>
      n % 5 === 0
        ? { status: "succeeded", code: null, attempts: 1n }
        : { status: "failed", code: "provider_error", attempts: 1n },
    );
    await expect.poll(rows, { timeout: times(60_000, 300_000), interval: 200 }).toEqual(expected);
    await survivor.kill9();
    expect((await runAudit(hub.db)).violations).toEqual([]);
  },
  times(120_000, 600_000),
);
