import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openFileHub, chunksOf } from "../../../test/file-hub";
import { findFile, openContent } from "./find-file";
import { storeOutput } from "./store-output";

const { hub, advance, newAccount, ctxOf, start, end, store, output, listContents } = await openFileHub();
const DAY_MS = 86_400_000;

interface Row {
  id: string;
  size: bigint;
  sha256: Buffer | null;
  stored_at: Date | null;
}
const rowsOf = (generation: string) =>
  hub.db.query<Row>("SELECT id, size, sha256, stored_at FROM file WHERE generation_id = $1 ORDER BY index", [
    generation,
  ]);

test("stores an output that is visible only once its generation has succeeded", async () => {
  const account = await newAccount();
  const generation = await start(account);
  await store(generation, account, 0, "picture");
  const [row] = await rowsOf(generation);
  expect(row).toMatchObject({ size: 7n, stored_at: null, sha256: createHash("sha256").update("picture").digest() });
  await expect(findFile(ctxOf(account), row!.id)).rejects.toMatchObject({ code: "resource_not_found" });

  await end(generation, "succeeded", 1);
  const file = await findFile(ctxOf(account), row!.id);
  expect(file).toMatchObject({ media_type: "image/png", size: 7n, account_id: account, index: 0 });
  expect(file.expires_at).toEqual(new Date(hub.now().getTime() + 30 * DAY_MS));
  expect(await text(await openContent(hub, file))).toBe("picture");
  expect(await text(await openContent(hub, file, { start: 1, end: 3 }))).toBe("ict");
});

test("a retry reuses the row and overwrites the content", async () => {
  const account = await newAccount();
  const generation = await start(account);
  await store(generation, account, 0, "first");
  const [before] = await rowsOf(generation);
  advance(1_000);
  await store(generation, account, 0, "the second");
  const [after, ...others] = await rowsOf(generation);
  expect(others).toEqual([]);
  expect(after).toMatchObject({ id: before!.id, size: 10n });
  await end(generation, "succeeded", 1);
  expect(await text(await openContent(hub, await findFile(ctxOf(account), before!.id)))).toBe("the second");
});

test("an interrupted stream leaves a reserved row without content, and can be retried", async () => {
  const account = await newAccount();
  const generation = await start(account);
  const place = { generationId: generation, accountId: account, index: 0 };
  const broken = { mediaType: "image/png", content: chunksOf("half", new Error("upstream hung up")) };
  await expect(storeOutput(hub, place, broken)).rejects.toThrow("upstream hung up");
  const [row] = await rowsOf(generation);
  expect(row).toMatchObject({ sha256: null, stored_at: null });
  expect((await listContents()).filter((name) => name.startsWith(row!.id))).toEqual([]);

  await store(generation, account, 0, "whole");
  await end(generation, "succeeded", 1);
  expect(await text(await openContent(hub, await findFile(ctxOf(account), row!.id)))).toBe("whole");
});

test("a late retry changes nothing that is visible", async () => {
  const account = await newAccount();
  const id = await output(account, "published");
  const { generation_id } = await findFile(ctxOf(account), id);
  await store(generation_id!, account, 0, "too late");
  const file = await findFile(ctxOf(account), id);
  expect(file.size).toBe(9n);
  expect(await text(await openContent(hub, file))).toBe("published");
});

test("concurrent retries end with one row and one content", async () => {
  const account = await newAccount();
  const generation = await start(account);
  await Promise.all(Array.from({ length: 10 }, () => store(generation, account, 0, "same")));
  const rows = await rowsOf(generation);
  expect(rows).toHaveLength(1);
  expect((await listContents()).filter((name) => name.startsWith(rows[0]!.id))).toEqual([rows[0]!.id]);
});

test("removes the content when the row was discarded meanwhile", async () => {
  const account = await newAccount();
  const generation = await start(account);
  async function* slow() {
    yield Buffer.from("a");
    await hub.db.query("DELETE FROM file WHERE generation_id = $1", [generation]);
    yield Buffer.from("b");
  }
  const before = await listContents();
  const place = { generationId: generation, accountId: account, index: 0 };
  await storeOutput(hub, place, { mediaType: "image/png", content: slow() });
  expect((await listContents()).sort()).toEqual(before.sort());
});

test("keeps the content when it was published meanwhile", async () => {
  const account = await newAccount();
  const generation = await start(account);
  await store(generation, account, 0, "same");
  async function* slow() {
    await end(generation, "succeeded", 1);
    yield Buffer.from("same");
  }
  const place = { generationId: generation, accountId: account, index: 0 };
  await storeOutput(hub, place, { mediaType: "image/png", content: slow() });
  const [row] = await rowsOf(generation);
  expect(await text(await openContent(hub, await findFile(ctxOf(account), row!.id)))).toBe("same");
});
