import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openFileHub, chunksOf } from "../../../test/file-hub";
import { deriveHub } from "../../../test/derive-hub";
import { runAudit } from "../audit/audit";
import { deleteFile } from "../files/delete";
import { expireFiles } from "../files/expire";
import { findFile, openContent } from "../files/find-file";
import { storeUpload } from "./store-upload";

const { hub, advance, newAccount, ctxOf, upload, output, listContents } = await openFileHub({
  UPLOAD_MAX_BYTES: "1000",
  UPLOAD_QUOTA_BYTES: "2500",
});
const HOUR_MS = 3_600_000;

const rowsOf = (account: number) => hub.db.prisma.file.findMany({ where: { accountId: account } });
const usedBytesOf = async (account: number) =>
  Number((await hub.db.prisma.account.findUniqueOrThrow({ where: { id: account } })).uploadBytes);
const oversized = { code: "payload_too_large" };

test("an upload is visible at once, with its hash, type and expiry", async () => {
  const account = await newAccount();
  const file = await upload(account, "some ", "text");
  expect(file).toMatchObject({ account_id: account, generation_id: null, media_type: "text/plain", size: 9n });
  expect(file.sha256).toEqual(createHash("sha256").update("some text").digest());
  expect(file.expires_at).toEqual(new Date(hub.now().getTime() + 24 * HOUR_MS));
  expect(await findFile(ctxOf(account), file.id)).toMatchObject(file);
  expect(await text(await openContent(hub, file))).toBe("some text");
});

test("an upload over the limit, of an unsupported type or interrupted leaves nothing", async () => {
  const account = await newAccount();
  const before = await listContents();
  expect((await upload(account, "x".repeat(1_000))).size).toBe(1_000n);
  await expect(upload(account, "x".repeat(1_000), "!")).rejects.toMatchObject(oversized);
  await expect(upload(account, "<html>")).rejects.toMatchObject({ code: "invalid_input" });
  await expect(upload(account, "x".repeat(999), new Error("hung up"))).rejects.toThrow("hung up");
  expect(await rowsOf(account)).toHaveLength(1);
  expect((await listContents()).length).toBe(before.length + 1);
});

test("concurrent uploads never exceed the quota, and can use its last byte", async () => {
  const account = await newAccount();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => upload(account, "x".repeat(500))));
  const stored = outcomes.filter(({ status }) => status === "fulfilled");
  expect(stored).toHaveLength(5);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(oversized);
  }
  expect(await usedBytesOf(account)).toBe(2_500);
  expect(await rowsOf(account)).toHaveLength(5);
  await expect(upload(account, "x")).rejects.toMatchObject(oversized);
  expect((await upload(await newAccount(), "x")).size).toBe(1n);
});

test("deleted and expired uploads free their quota once; outputs use none", async () => {
  const account = await newAccount();
  const files = [await upload(account, "x".repeat(1_000)), await upload(account, "y".repeat(1_000))];
  await output(account, "z".repeat(900));
  expect(await usedBytesOf(account)).toBe(2_000);
  await Promise.allSettled([deleteFile(ctxOf(account), files[0]!.id), deleteFile(ctxOf(account), files[0]!.id)]);
  expect(await usedBytesOf(account)).toBe(1_000);
  advance(25 * HOUR_MS);
  await Promise.all([expireFiles(hub, 100), expireFiles(hub, 100)]);
  expect(await usedBytesOf(account)).toBe(0);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("removes the content and counts nothing when the row was discarded meanwhile", async () => {
  const account = await newAccount();
  async function* slow() {
    yield Buffer.from("a");
    await hub.db.query("DELETE FROM file WHERE account_id = $1", [account]);
    yield Buffer.from("b");
  }
  const before = await listContents();
  await expect(storeUpload(ctxOf(account), slow())).rejects.toMatchObject({ code: "service_unavailable" });
  expect(await listContents()).toEqual(before);
  expect(await usedBytesOf(account)).toBe(0);
});

test("a crash at any point leaves nothing after a sweep", async () => {
  const account = await newAccount();
  const before = (await listContents()).sort();
  const { db, storage } = hub;
  const failAsKilled = () => Promise.reject(new Error("killed"));
  const crashingParts: Partial<typeof hub>[] = [
    // While the content is written, without any cleanup.
    { storage: { ...storage, put: async (...args) => storage.put(...args).then(failAsKilled), remove: failAsKilled } },
    // Between writing the content and inserting the row.
    { db: { ...db, query: (sql, values) => (sql.includes("draft AS") ? failAsKilled() : db.query(sql, values)) } },
    // Between the row's rejection and its removal.
    { db: { ...db, query: (sql, values) => (sql.startsWith("DELETE") ? failAsKilled() : db.query(sql, values)) } },
  ];
  for (const part of crashingParts) {
    const ctx = { ...ctxOf(account), hub: deriveHub(hub, part) };
    const content = part === crashingParts[2] ? chunksOf("<html>") : chunksOf("text");
    await expect(storeUpload(ctx, content)).rejects.toThrow();
  }
  expect((await rowsOf(account)).map(({ storedAt }) => storedAt)).toEqual([null, null, null]);
  expect(await usedBytesOf(account)).toBe(0);
  advance(HOUR_MS + 1);
  expect(await expireFiles(hub, 100)).toBeGreaterThanOrEqual(3);
  expect(await rowsOf(account)).toEqual([]);
  expect((await listContents()).sort()).toEqual(before);
});

test("keeps the content of a row whose publication may have been committed", async () => {
  const account = await newAccount();
  const { db } = hub;
  const query: typeof db.query = async (sql, values) => {
    const rows = await db.query<never>(sql, values);
    if (sql.includes("draft AS")) throw new Error("Connection terminated unexpectedly");
    return rows;
  };
  await expect(
    storeUpload({ ...ctxOf(account), hub: deriveHub(hub, { db: { ...db, query } }) }, chunksOf("kept")),
  ).rejects.toThrow();
  const [row] = await rowsOf(account);
  expect(await text(await openContent(hub, await findFile(ctxOf(account), row!.id)))).toBe("kept");
});
