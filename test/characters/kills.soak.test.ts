import { fork } from "node:child_process";
import { afterAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { followJobs } from "../../server/process/notifications";
import { startSandboxWorker } from "../../server/process/sandbox-worker";
import { newCustomer } from "../api/customer";
import { bundleProgram } from "../bundle-program";
import { testHub } from "../hub";
import { insertFile } from "../insert-file";
import { makePng } from "../media/png";

const KILLS = 30;
const hub = await testHub({ RUNNING_PER_ACCOUNT: "1000000", BASE_URL: "https://hub.test" });
const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** Returns how many characters have begun a training. */
async function countTrained(): Promise<number> {
  const [row] = await hub.db.query<{ count: bigint }>("SELECT count(DISTINCT character_id) FROM generation");
  return Number(row!.count);
}

/** Runs a busy hub in a process and kills it after a random number of trainings, wherever it then is. */
async function runAndKill(account: number, image: string): Promise<void> {
  const child = fork(await bundleProgram("test/characters/busy-child.ts"), [String(account), image], {
    execArgv: [],
    env: {
      // Leaves out the test runner's settings.
      PATH: process.env.PATH,
      NODE_ENV: "test",
      LOG_LEVEL: "warn",
      SANDBOX: "on",
      BASE_URL: "https://hub.test",
      DATABASE_URL: hub.databaseUrl,
      HUB_SECRET: hub.secret,
      HUB_DATA_DIR: hub.folder,
    },
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await Promise.race([new Promise((resolve) => child.once("message", resolve)), ended]);
  expect(child.exitCode).toBeNull();
  const enough = (await countTrained()) + 1 + Math.random() * 6;
  await expect.poll(countTrained, { timeout: 30_000, interval: 1 + Math.random() * 20 }).toBeGreaterThanOrEqual(enough);
  child.kill("SIGKILL");
  await ended;
}

test(`after ${KILLS} kills of a training hub, each training belongs to a character, continues, and is billed once`, async () => {
  const { account } = await newCustomer(hub, { credit: 100_000 });
  const file = await insertFile(hub, account, await makePng("#2020c0"));
  for (let death = 0; death < KILLS; death += 1) {
    await runAndKill(account, `https://hub.test/api/v1/hub/files/${file}`);
    expect((await runAudit(hub.db)).violations).toEqual([]);
  }
  const orphans = await hub.db.query("SELECT FROM generation WHERE character_id IS NULL");
  expect(orphans).toEqual([]);

  // The leases of killed hubs expire, and the others continue the trainings.
  hub.clock.advance(61_000);
  stops.push(startSandboxWorker(hub), followJobs(hub, hub.databaseUrl));
  const states = () =>
    hub.db.query<{ status: string }>(
      `SELECT DISTINCT newest.status FROM character c CROSS JOIN LATERAL (
           SELECT status FROM generation WHERE character_id = c.id ORDER BY character_version DESC LIMIT 1) newest`,
    );
  await expect
    .poll(states, { timeout: 600_000, interval: 200 })
    .toSatisfy((rows: { status: string }[]) =>
      rows.every(({ status }) => status === "succeeded" || status === "canceled"),
    );
  const [sums] = await hub.db.query<Record<"made" | "ready" | "reserved", bigint>>(
    `SELECT (SELECT count(*) FROM character) AS made, (SELECT reserved FROM account WHERE id = $1) AS reserved,
              (SELECT count(*) FROM generation WHERE status = 'succeeded') AS ready`,
    [account],
  );
  expect(sums!.reserved).toBe(0n);
  expect(sums!.made - sums!.ready).toBeLessThanOrEqual(BigInt(KILLS * 2));
  expect(sums!.ready).toBeGreaterThan(0n);
  expect((await runAudit(hub.db)).violations).toEqual([]);
}, 1_200_000);
