import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openFileHub } from "../../../test/file-hub";
import { insertFile } from "../../../test/insert-file";
import { deriveHub } from "../../../test/derive-hub";
import { makePng } from "../../../test/media/png";
import { runAudit } from "../audit/audit";
import { deleteFile } from "./delete";
import { expireFiles } from "./expire";
import { findFile } from "./find-file";
import { getThumbnail } from "./thumbnail";

const { hub, advance, newAccount, ctxOf, listContents } = await openFileHub();
const { storage } = hub;
const account = await newAccount();
const png = await makePng("#d9772b", { width: 400, height: 300 });
const insert = async (content: Uint8Array = png, mediaType = "image/png") =>
  findFile(ctxOf(account), await insertFile(hub, account, content, { mediaType }));
const keysOf = async (id: string) => (await listContents()).filter((name) => name.startsWith(id)).sort();
const unreadable = { code: "invalid_input", extras: { errors: { w: [expect.stringContaining("PNG, JPEG")] } } };

test("is made once for concurrent requests, and stored beside the file without counting toward the quota", async () => {
  const file = await insert();
  const usedBytes = () => hub.db.prisma.account.findUniqueOrThrow({ where: { id: account } });
  const before = (await usedBytes()).uploadBytes;
  const opened: string[] = [];
  const open: typeof storage.open = (key, range) => {
    opened.push(key);
    return storage.open(key, range);
  };
  const counting = deriveHub(hub, { storage: { ...storage, open } });
  const made = await Promise.all(Array.from({ length: 10 }, () => getThumbnail(counting, file, "128")));
  expect(opened.filter((key) => key === file.id)).toHaveLength(1);
  expect(new Set(made.map((one) => one.toString("hex"))).size).toBe(1);
  expect(await sharp(made[0]).metadata()).toMatchObject({ format: "webp", width: 128, height: 96 });
  expect((await sharp(await getThumbnail(counting, file, "512")).metadata()).width).toBe(400);
  expect(await getThumbnail(counting, file, "128")).toEqual(made[0]);
  expect(opened.filter((key) => key === file.id)).toHaveLength(2);
  expect(await keysOf(file.id)).toEqual([file.id, `${file.id}.w128`, `${file.id}.w512`]);
  expect((await usedBytes()).uploadBytes).toBe(before);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("is removed with its file, by deletion and by expiry", async () => {
  const [deleted, expired] = [await insert(), await insert()];
  for (const file of [deleted, expired]) await getThumbnail(hub, file, "512");
  await deleteFile(ctxOf(account), deleted.id);
  expect(await keysOf(deleted.id)).toEqual([]);
  advance(25 * 3_600_000);
  await expireFiles(hub, 1_000);
  expect(await keysOf(expired.id)).toEqual([]);
});

test("nothing is left when the file is deleted while its thumbnail is made", async () => {
  const before = await insert();
  await deleteFile(ctxOf(account), before.id);
  await expect(getThumbnail(hub, before, "128")).rejects.toMatchObject({ code: "file_expired" });

  // The deletion comes after the content was read, and before the thumbnail is stored.
  const [during, late] = [await insert(), await insert()];
  const deleting = deriveHub(hub, {
    db: { ...hub.db, transaction: async (work) => { await deleteFile(ctxOf(account), during.id); return hub.db.transaction(work); } }, // prettier-ignore
  });
  expect((await getThumbnail(deleting, during, "128")).length).toBeGreaterThan(0);
  expect(await keysOf(during.id)).toEqual([]);

  // The deletion begins while the thumbnail is being stored, and waits for that.
  let deletion: Promise<void> | undefined;
  const put: typeof storage.put = async (...values) => {
    deletion = deleteFile(ctxOf(account), late.id);
    return storage.put(...values);
  };
  await getThumbnail(deriveHub(hub, { storage: { ...storage, put } }), late, "128");
  await deletion;
  expect(await keysOf(late.id)).toEqual([]);
});

test("a file that is no readable picture has none, and is decoded only once", async () => {
  const contents: [Uint8Array, string][] = [
    [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/svg+xml"],
    [randomBytes(100), "image/png"],
    [png.subarray(0, 60), "image/png"],
  ];
  for (const [content, mediaType] of contents) {
    const file = await insert(content, mediaType);
    await expect(getThumbnail(hub, file, "128")).rejects.toMatchObject(unreadable);
    const open: typeof storage.open = (key, range) => {
      expect(key).not.toBe(file.id);
      return storage.open(key, range);
    };
    const second = getThumbnail(deriveHub(hub, { storage: { ...storage, open } }), file, "128");
    await expect(second).rejects.toMatchObject(unreadable);
  }
  await expect(getThumbnail(hub, await insert(png, "video/mp4"), "128")).rejects.toMatchObject(unreadable);
  const huge = { ...(await insert()), size: 50n * 1024n ** 2n + 1n };
  await expect(getThumbnail(hub, huge, "128")).rejects.toMatchObject(unreadable);
});

test("is returned although it cannot be stored", async () => {
  const file = await insert();
  const put = () => Promise.reject(new Error("The storage is full."));
  const full = deriveHub(hub, { storage: { ...storage, put } });
  expect((await sharp(await getThumbnail(full, file, "128")).metadata()).width).toBe(128);
  expect(await keysOf(file.id)).toEqual([file.id]);
});

test("an overloaded hub rejects with 503 and Retry-After", async () => {
  const file = await insert();
  const busy = deriveHub(hub, {});
  let end = () => {};
  const hold = new Promise<void>((resolve) => (end = resolve));
  const others = Array.from({ length: 500 }, (_, n) => busy.services.thumbnails.run(String(n), () => hold));
  await expect(getThumbnail(busy, file, "128")).rejects.toMatchObject({
    code: "service_unavailable",
    headers: { "Retry-After": "5" },
  });
  end();
  await Promise.all(others);
  expect((await getThumbnail(busy, file, "128")).length).toBeGreaterThan(0);
});
