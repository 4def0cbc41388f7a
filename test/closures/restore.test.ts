import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { advanceClosures } from "../../server/domain/closures/advance-closures";
import { erasePending } from "../../server/domain/closures/pending-erasure";
import { requestPersonErasure } from "../../server/domain/closures/erase-person";
import { closeAccountByOperator } from "../../server/domain/closures/request-closing";
import { eraseContent } from "../../server/domain/erasure";
import { expireFiles } from "../../server/domain/files/expire";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { createAccount } from "../../server/domain/people/create-account";
import { addMember, createPerson } from "../../server/domain/people/person";
import { createKey } from "../../server/domain/keys/create";
import { creditAccount } from "../../server/domain/ledger/credit";
import { readEnv } from "../../server/env";
import { createBackup } from "../../server/process/backup/create-backup";
import { restoreBackup } from "../../server/process/backup/restore-backup";
import { openTombstoneBucket } from "../../server/storage/tombstone-bucket";
import { openTombstoneLog } from "../../server/storage/tombstones";
import { emptyDatabase } from "../database";
import { openDb } from "../../server/db/client";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { openBucket } from "../s3";
import { findText } from "./find-text";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-tombstones-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const tombstonesPath = path.join(folder, "tombstones");
const hub = await testHub({ TOMBSTONES_PATH: tombstonesPath });
const envOf = (databaseUrl: string, dataDir: string, tombstones = tombstonesPath) =>
  readEnv({
    LOG_LEVEL: "silent",
    HUB_SECRET: hub.secret,
    DATABASE_URL: databaseUrl,
    HUB_DATA_DIR: dataDir,
    TOMBSTONES_PATH: tombstones,
  });

/** Makes an account with a generation whose prompt contains the canary. */
async function newAccount(canary: string) {
  const id = await createAccount(hub, { email: `${canary}@example.org` });
  await creditAccount(hub, id, { amount: 1_000_000_000n });
  const generation = { ...queuedGeneration(id, 100n), input: { prompt: `a portrait of ${canary}` } };
  await insertWithHold(hub, generation);
  await markRunning(hub, { generationId: generation.id, runId: "run" });
  await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
  return { id, generation: generation.id };
}

const closed = await newAccount("canaryclosed");
const partly = await newAccount("canarypartly");
const kept = await newAccount("canarykept");
const member = await createPerson(hub.db, "canarymember@example.org", hub.now());
await addMember(hub.db, kept.id, member.id, "developer", hub.now());
const { record: key } = await createKey(hub, kept.id, { name: "a member's" });
await hub.db.query("UPDATE api_key SET person_id = $2 WHERE id = $1", [key.id, member.id]);
const backup = path.join(folder, "backup.tar");
await createBackup(envOf(hub.databaseUrl, hub.folder), backup);

await eraseContent(hub, [partly.generation]);
await closeAccountByOperator(hub, testOperator, { id: closed.id, balance: "give_up", days: 0 });
await requestPersonErasure(hub, testOperator, { email: "canarymember@example.org" });
hub.clock.advance(2 * 3_600_000);
for (let n = 0; n < 2; n += 1) {
  await advanceClosures(hub);
  await erasePending(hub);
  await expireFiles(hub, 100);
}

test("a restored backup erases again what was erased since, and nothing else", async () => {
  const url = await emptyDatabase();
  const env = envOf(url, await mkdtemp(path.join(folder, "twin-")));
  const { restored, audit } = await restoreBackup(env, backup, testOperator);
  expect(restored.erased).toBe(3 + 1 + 1);
  expect(audit.violations).toEqual([]);
  const db = openDb(url, 3);
  try {
    expect(await findText(db, "canaryclosed")).toEqual([]);
    expect(await findText(db, "portrait of canarypartly")).toEqual([]);
    expect(await findText(db, "canarypartly@")).toContain("account.email");
    expect(await findText(db, "portrait of canarykept")).toContain("generation.input");
    const [account] = await db.query("SELECT suspended, closed_at IS NOT NULL AS closed FROM account WHERE id = $1", [closed.id]); // prettier-ignore
    expect(account).toEqual({ suspended: true, closed: true });
    expect(await findText(db, "canarymember")).toEqual([]);
    expect(await db.query("SELECT revoked_at IS NOT NULL AS revoked FROM api_key WHERE id = $1", [key.id])).toEqual([
      { revoked: true },
    ]);
  } finally {
    await db.close();
  }
});

test("a restore without tombstones, or with those of another hub, is refused, unless it is asked for", async () => {
  const dataDir = await mkdtemp(path.join(folder, "blind-"));
  const restore = async (url: string, tombstones: string, options = {}) =>
    restoreBackup(envOf(url, dataDir, tombstones), backup, testOperator, options);
  const url = await emptyDatabase();
  const none = path.join(folder, "none");
  await expect(restore(url, none)).rejects.toThrow("There are no tombstones in");
  const younger = path.join(folder, "younger");
  const other = await testHub({ TOMBSTONES_PATH: younger });
  await other.tombstones.begin(new Date());
  await expect(restore(url, younger)).rejects.toThrow("begin after the backup was made");
  expect((await restore(url, none, { withoutTombstones: true })).restored.erased).toBe(0);
});

test("tombstones have ids and nothing else", async () => {
  const names = (await readdir(tombstonesPath)).filter((name) => name.endsWith(".jsonl"));
  const lines = await Promise.all(names.map((name) => readFile(path.join(tombstonesPath, name), "utf8")));
  expect(lines.join("")).not.toContain("canary");
  expect(lines.join("")).toContain(partly.generation);
});

test("a bucket keeps tombstones too", async () => {
  const { env } = await openBucket();
  const settings = {
    bucket: env.STORAGE_S3_BUCKET,
    endpoint: env.STORAGE_S3_ENDPOINT,
    region: "eu-central-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    forcePathStyle: true,
    prefix: "hub/",
  };
  const open = () => openTombstoneLog(openTombstoneBucket(settings));
  const now = new Date("2026-11-26T12:00:00.000Z");
  expect(await open().findStart()).toBeNull();
  await open().begin(now);
  await open().add([{ kind: "person", id: "7", created_at: now.toISOString() }], new Date());
  await open().add([{ kind: "input", id: partly.generation }], new Date());
  expect(await open().findStart()).toEqual(now);
  const read = [];
  for await (const { tombstones } of open().read()) read.push(...tombstones);
  expect(read.map(({ kind }) => kind).toSorted()).toEqual(["input", "person"]);
});
