import { beforeEach, expect, test } from "vitest";
import { openFileHub } from "../../../test/file-hub";
import { hashOf } from "../../../test/insert-file";
import { deriveHub } from "../../../test/derive-hub";
import { newId } from "../../lib/id";
import { expireFiles } from "./expire";
import { findFile, findByHash } from "./find-file";

const { hub, advance, ctxOf, newAccount, queue, start, end, store, output, listContents } = await openFileHub();
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const account = await newAccount();

// Files that an earlier test left must not count in the next one.
beforeEach(async () => {
  advance(60 * DAY_MS);
  await expireFiles(hub, 1_000);
});

const find = (id: string) => hub.db.prisma.file.findUnique({ where: { id } });
const isStored = async (id: string) => (await listContents()).includes(id);
const unfinishedOf = async (generation: string) =>
  (await hub.db.prisma.file.findFirst({ where: { generationId: generation, storedAt: null } }))?.id;

test("removes expired content and keeps its record, once", async () => {
  const [oldFile] = [await output(account), advance(DAY_MS)];
  const recentFile = await output(account);
  advance(29.5 * DAY_MS);
  expect(await expireFiles(hub, 100)).toBe(1);
  expect([await isStored(oldFile), await isStored(recentFile)]).toEqual([false, true]);
  expect(await find(oldFile)).toMatchObject({ removedAt: hub.now(), mediaType: "image/png", size: 7n });
  expect((await find(recentFile))!.removedAt).toBeNull();
  expect(await expireFiles(hub, 100)).toBe(0);
});

test("keeps files that an unsettled generation of the account uses, and no others", async () => {
  const used = await output(account);
  const named = await output(account);
  const generation = await queue(account, {
    image_input: [`https://hub.example/base/api/v1/hub/files/${used.toUpperCase()}`],
  });
  await queue(await newAccount(), { prompt: `somebody else names ${named}` });
  advance(31 * DAY_MS);
  await expireFiles(hub, 100);
  expect([await isStored(used), await isStored(named)]).toEqual([true, false]);
  await end(generation, "failed");
  await expireFiles(hub, 100);
  expect(await isStored(used)).toBe(false);
});

test("keeps files that an unsettled generation refers to by hash", async () => {
  const [used, other] = [await output(account, "wanted"), await output(account, "unwanted")];
  const generation = await queue(account, { image_input: [`sha256:${hashOf("wanted")}`] });
  await queue(await newAccount(), { image_input: [`sha256:${hashOf("unwanted")}`] });
  advance(31 * DAY_MS);
  await expireFiles(hub, 100);
  expect([await isStored(used), await isStored(other)]).toEqual([true, false]);
  expect(await findFile(ctxOf(account), used)).toMatchObject({ id: used });
  expect(await findByHash(hub, account, hashOf("wanted"))).toMatchObject({ id: used });
  await end(generation, "failed");
  await expect(findFile(ctxOf(account), used)).rejects.toMatchObject({ code: "file_expired" });
  await expireFiles(hub, 100);
  expect(await isStored(used)).toBe(false);
});

test("files in use do not block the removal of others", async () => {
  const used = await Promise.all(Array.from({ length: 5 }, () => output(account)));
  const generation = await queue(account, { image_input: used });
  advance(1_000);
  const free = await output(account);
  advance(31 * DAY_MS);
  expect(await expireFiles(hub, 3)).toBe(1);
  expect(await isStored(free)).toBe(false);
  await end(generation, "failed");
  expect(await expireFiles(hub, 100)).toBe(5);
});

test("removes at most its limit, in as many chunks as needed", async () => {
  const rows = Array.from({ length: 250 }, () => ({
    id: newId(),
    accountId: account,
    mediaType: "text/plain",
    sha256: new Uint8Array(32),
    createdAt: hub.now(),
    storedAt: hub.now(),
    expiresAt: hub.now(),
  }));
  await hub.db.prisma.file.createMany({ data: rows });
  advance(DAY_MS);
  expect(await expireFiles(hub, 120)).toBe(120);
  expect(await Promise.all([expireFiles(hub, 500), expireFiles(hub, 500)]).then(([a, b]) => a + b)).toBe(130);
  expect(await hub.db.prisma.file.count({ where: { id: { in: rows.map(({ id }) => id) }, removedAt: null } })).toBe(0);
});

test("deletes unpublished outputs of an ended generation after an hour, row and content", async () => {
  const [failed, surplusFile, running] = [await start(account), await start(account), await start(account)];
  await store(failed, account, 0, "never seen");
  await store(surplusFile, account, 0, "the first try made one");
  await store(surplusFile, account, 1, "and a second");
  await store(running, account, 0, "still at it");
  await end(failed, "failed");
  await end(surplusFile, "succeeded", 1);
  const [a, b, c] = [await unfinishedOf(failed), await unfinishedOf(surplusFile), await unfinishedOf(running)];

  advance(HOUR_MS - 1);
  expect(await expireFiles(hub, 100)).toBe(0);
  advance(2);
  expect(await expireFiles(hub, 100)).toBe(2);
  expect([await isStored(a!), await isStored(b!), await isStored(c!)]).toEqual([false, false, true]);
  expect([await find(a!), await find(b!)]).toEqual([null, null]);
  expect(await hub.db.prisma.file.count({ where: { generationId: surplusFile } })).toBe(1);
  await end(running, "succeeded", 1);
  expect((await find(c!))!.storedAt).toEqual(hub.now());
});

test("deletes an abandoned upload", async () => {
  const id = newId();
  const expiresAt = new Date(hub.now().getTime() + DAY_MS);
  await hub.db.prisma.file.create({
    data: { id, accountId: account, mediaType: "text/plain", createdAt: hub.now(), expiresAt },
  });
  advance(HOUR_MS + 1);
  expect(await expireFiles(hub, 100)).toBe(1);
  expect(await find(id)).toBeNull();
});

test("keeps the row of content that cannot be removed, and removes the others", async () => {
  const [stuckFile, free] = [await output(account), await output(account)];
  advance(31 * DAY_MS);
  const storage = {
    ...hub.storage,
    remove: (key: string) => (key === stuckFile ? Promise.reject(new Error("EIO")) : hub.storage.remove(key)),
  };
  expect(await expireFiles(deriveHub(hub, { storage }), 100)).toBe(1);
  expect([(await find(stuckFile))!.removedAt, (await find(free))!.removedAt]).toEqual([null, hub.now()]);
  expect(await expireFiles(hub, 100)).toBe(1);
  expect(await isStored(stuckFile)).toBe(false);
});

test("recovers from a crash between content and row in the next sweep", async () => {
  const id = await output(account);
  advance(31 * DAY_MS);
  const transaction: typeof hub.db.transaction = (work) =>
    hub.db.transaction((tx) =>
      work({
        query: (text, values) =>
          text.includes("removed_at = $2") ? Promise.reject(new Error("killed")) : tx.query(text, values),
      }),
    );
  const crashingDb = { ...hub.db, transaction };
  await expect(expireFiles(deriveHub(hub, { db: crashingDb }), 100)).rejects.toThrow("killed");
  expect([await isStored(id), (await find(id))!.removedAt]).toEqual([false, null]);
  expect(await expireFiles(hub, 100)).toBe(1);
  expect((await find(id))!.removedAt).toEqual(hub.now());
});
