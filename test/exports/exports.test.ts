import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Ctx } from "../../server/context";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { deleteExport, findNewestExport, serializeExport, startExport } from "../../server/domain/exports/export";
import type { ExportsHub } from "../../server/domain/exports/hub";
import { makeExport } from "../../server/domain/exports/make-export";
import { getArchive, openArchive } from "../../server/domain/exports/open-export";
import { purgeExports } from "../../server/domain/exports/purge";
import { suspendAccount } from "../../server/domain/accounts/account";
import type { Hub } from "../../server/domain/hub";
import { createKey } from "../../server/domain/keys/create";
import { serveArchive } from "../../server/page-api/serve-archive";
import { serveDownload } from "../../server/page-api/serve-download";
import { StorageUnavailable } from "../../server/storage/storage";
import { newConsoleUser } from "../console/console-user";
import { bundleProgram } from "../bundle-program";
import { deriveHub } from "../derive-hub";
import { queuedGeneration } from "../generation-fixture";
import { insertManyWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { testHub } from "../hub";
import { hashOf, insertFile } from "../insert-file";
import { listFileNames } from "../list-file-names";
import { testOperator } from "../operator";
import { isSoak } from "../soak";
import { readZip } from "./read-zip";

const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: "localhost:9" });
/** A hub with the clock of this machine, as other processes have it. */
const liveHub = await testHub();
const folder = await mkdtemp(path.join(os.tmpdir(), "hub-exports-"));
afterAll(() => rm(folder, { recursive: true }));
const never = new AbortController().signal;
const DAY_MS = 86_400_000;

let user: Awaited<ReturnType<typeof newConsoleUser>>;
let ctx: Ctx<Hub>;
beforeEach(async () => {
  user = await newConsoleUser(hub);
  ctx = user.session;
});

const insertGenerations = (count: number) =>
  insertManyWithHold(
    ctx.hub.db,
    Array.from({ length: count }, () => queuedGeneration(ctx.account.id, 1_000n)),
  );

const newest = async () => serializeExport((await findNewestExport(ctx))!, ctx.hub.now());

/** Makes the account's export until it ends, as processes do one after the other. */
async function makeUntilEnd(on: ExportsHub = hub, partBytes = 20_000) {
  for (let tries = 0; tries < 20 && (await newest()).state === "running"; tries += 1) {
    await makeExport(on, never, { partBytes });
    hub.clock.advance(400_000);
  }
  return newest();
}

/** Downloads the account's newest archive and returns what another program reads of it. */
async function download() {
  const archive = await getArchive(ctx, (await newest()).id);
  const file = path.join(folder, `${archive.id}.zip`);
  const content = await openArchive(ctx.hub, archive, { start: 0, end: archive.size - 1 });
  await pipeline(content, createWriteStream(file));
  return readZip(file);
}

const linesOf = (text: string | undefined) =>
  text!.split("\n").filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>); // prettier-ignore

test("an archive has the account's lists and files, and no secrets", async () => {
  await insertGenerations(3);
  const { key: secret } = await createKey(hub, user.account, { name: "=cmd", spend_limit: 1.5 });
  const endpoint = await createEndpoint(user.session, {
    url: "https://localhost:9/hook",
    events: ["generation.completed"],
  });
  const picture = await insertFile(hub, user.account, "a picture");
  const note = await insertFile(hub, user.account, "a note".repeat(100), { mediaType: "text/plain" });
  await user.console.exports.start();
  expect(await makeUntilEnd()).toMatchObject({ state: "ready", missing_files: 0, progress: 1 });
  const { bad, names, hashes, texts, stored } = await download();
  expect(bad).toBeNull();
  expect(linesOf(texts["generations.jsonl"])).toHaveLength(3);
  expect(linesOf(texts["generations.jsonl"])[0]).toMatchObject({
    status: "queued",
    input: expect.anything() as object,
  });
  expect(texts["generations.csv"]!.split("\r\n")).toHaveLength(5);
  expect(linesOf(texts["statement.jsonl"])[0]).toMatchObject({ kind: "credit" });
  expect(linesOf(texts["keys.jsonl"])).toContainEqual(expect.objectContaining({ name: "=cmd", spend_limit: "1.5" }));
  expect(texts["keys.csv"]).toContain("'=cmd");
  expect(linesOf(texts["members.jsonl"])[0]).toMatchObject({ role: "owner" });
  expect(linesOf(texts["webhooks.jsonl"])[0]).toMatchObject({ url: "https://localhost:9/hook" });
  const files = linesOf(texts["files.jsonl"]);
  expect(files.map(({ id }) => id)).toEqual([note, picture]);
  expect(files.map(({ path: name }) => hashes[String(name)])).toEqual([
    hashOf("a note".repeat(100)),
    hashOf("a picture"),
  ]);
  // The picture is stored as it is, everything else is compressed.
  expect(stored).toBe(1);
  expect(texts["README.txt"]).toContain(user.email);
  expect(names).toContain("characters.jsonl");
  for (const text of Object.values(texts)) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(endpoint.secret);
  }
});

test("a long list is divided, and an archive of many parts is whole", async () => {
  await insertGenerations(700);
  for (let n = 0; n < 12; n += 1) await insertFile(hub, user.account, Buffer.alloc(9_000, n));
  await startExport(ctx);
  await makeUntilEnd();
  const [{ parts }] = (await hub.db.query("SELECT parts FROM account_export WHERE id = $1", [(await newest()).id])) as [
    { parts: number },
  ];
  expect(parts).toBeGreaterThan(4);
  const { bad, texts, names } = await download();
  expect(bad).toBeNull();
  expect(linesOf(texts["generations.jsonl"])).toHaveLength(700);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith("uploads/"))).toHaveLength(12);
});

test("any range of an archive can be read", async () => {
  for (let n = 0; n < 6; n += 1) await insertFile(hub, user.account, Buffer.alloc(15_000, n));
  await startExport(ctx);
  await makeUntilEnd();
  const archive = await getArchive(ctx, (await newest()).id);
  const read = async (start: number, end: number) => buffer(await openArchive(hub, archive, { start, end }));
  const whole = await read(0, archive.size - 1);
  expect(whole).toHaveLength(archive.size);
  for (const [start, end] of [
    [0, 0],
    [10, 40_000],
    [25_000, 70_000],
    [archive.size - 5, archive.size - 1],
  ] as const)
    // prettier-ignore
    expect((await read(start, end)).equals(whole.subarray(start, end + 1))).toBe(true);
});

test("a download of an archive can be resumed", async () => {
  await insertFile(hub, user.account, "a picture");
  await startExport(ctx);
  await makeUntilEnd();
  const { id, size } = await getArchive(ctx, (await newest()).id);
  const get = (headers: Record<string, string> = {}) =>
    serveDownload(ctx, () => serveArchive(ctx, id, new Request("http://hub/", { headers })));
  const whole = Buffer.from(await (await get()).arrayBuffer());
  expect(whole).toHaveLength(size);
  const rest = await get({ range: "bytes=10-", "if-range": `"${id}"` });
  expect([rest.status, rest.headers.get("content-range")]).toEqual([206, `bytes 10-${size - 1}/${size}`]);
  expect(whole.subarray(10).equals(Buffer.from(await rest.arrayBuffer()))).toBe(true);
  expect((await get({ range: "bytes=10-", "if-range": '"another"' })).status).toBe(200);
  const beyond = await get({ range: `bytes=${size}-` });
  expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${size}`]);
  expect(await beyond.text()).toBe(`The file has ${size} bytes.`);
});

test("a download above the account's limit for reads says when to try again", async () => {
  const limited = deriveHub(hub, { env: { ...hub.env, RATE_LIMIT_READS_PER_MINUTE: 1 } });
  const get = () => serveDownload({ ...ctx, hub: limited }, () => Promise.resolve(new Response("whole")));
  expect(await (await get()).text()).toBe("whole");
  const rejected = await get();
  expect([rejected.status, Number(rejected.headers.get("retry-after")) > 0]).toEqual([429, true]);
});

test("files that the storage lacks or cannot read are named in the archive", async () => {
  const [gone, unreadable, fine] = [
    await insertFile(hub, user.account, "gone"),
    await insertFile(hub, user.account, "unreadable"),
    await insertFile(hub, user.account, "fine"),
  ];
  await hub.storage.remove(gone);
  const { storage } = hub;
  const broken = deriveHub(hub, {
    storage: {
      ...storage,
      open: (key, ...values) =>
        key === unreadable ? Promise.reject(new StorageUnavailable("broken")) : storage.open(key, ...values),
    },
  });
  await startExport(ctx);
  expect(await makeUntilEnd(broken)).toMatchObject({ state: "ready", missing_files: 2 });
  const { texts, names } = await download();
  expect(
    linesOf(texts["missing-files.jsonl"])
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([gone, unreadable].toSorted());
  expect(names.filter((name) => name.startsWith("uploads/")).join()).toContain(fine);
});

test("a storage that stays away fails the export with a reason", async () => {
  await insertFile(hub, user.account, "content");
  const away = () => Promise.reject(new StorageUnavailable("away"));
  await startExport(ctx);
  await makeUntilEnd(deriveHub(hub, { storage: { ...hub.storage, put: away, open: away, check: away } }));
  expect(await newest()).toMatchObject({ state: "failed", error: "The export failed several times." });
});

test("an account runs one export at a time, and starts three a day", async () => {
  for (let count = 0; count < 3; count += 1) {
    await startExport(ctx);
    await expect(startExport(ctx)).rejects.toMatchObject({ code: "invalid_state" });
    await deleteExport(ctx, (await newest()).id);
  }
  await expect(startExport(ctx)).rejects.toMatchObject({ code: "rate_limited" });
  hub.clock.advance(DAY_MS + 1_000);
  await expect(startExport(ctx)).resolves.toMatchObject({ state: "running" });
  await deleteExport(ctx, (await newest()).id);
});

test("concurrent starts make one export", async () => {
  const starts = await Promise.allSettled(Array.from({ length: 8 }, () => startExport(ctx)));
  expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await deleteExport(ctx, (await newest()).id);
});

test("another account can neither see, download nor delete an export", async () => {
  await startExport(ctx);
  await makeUntilEnd();
  const { id } = await newest();
  const other = await newConsoleUser(hub);
  expect(await other.console.exports.newest()).toBeNull();
  await expect(getArchive(other.session, id)).rejects.toMatchObject({ code: "resource_not_found" });
  await expect(other.console.exports.delete({ id })).rejects.toThrow("no such export");
  await expect(getArchive(ctx, id)).resolves.toMatchObject({ id });
});

const listContents = () => listFileNames(path.join(hub.folder, "files"));

test("an archive expires after a day and is removed from the storage", async () => {
  hub.clock.advance(3 * DAY_MS);
  await purgeExports(hub, 100);
  const before = await listContents();
  await startExport(ctx);
  await makeUntilEnd();
  const { id } = await newest();
  expect((await listContents()).length).toBeGreaterThan(before.length);
  hub.clock.advance(DAY_MS);
  await expect(getArchive(ctx, id)).rejects.toMatchObject({ code: "resource_not_found" });
  expect(await newest()).toMatchObject({ state: "expired" });
  await purgeExports(hub, 100);
  expect(await listContents()).toEqual(before);
  hub.clock.advance(8 * DAY_MS);
  await purgeExports(hub, 100);
  expect(await findNewestExport(ctx)).toBeNull();
});

/** Returns a hub whose storage waits at a file until `proceed` is called, and a promise of the time when it does. */
function pausingHub(at: string) {
  let proceed = () => undefined as void;
  const mayProceed = new Promise<void>((resolve) => (proceed = resolve));
  let reach = () => undefined as void;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const { storage } = hub;
  const paused = deriveHub(hub, {
    storage: {
      ...storage,
      async open(key, ...values) {
        if (key === at) {
          reach();
          await mayProceed;
        }
        return storage.open(key, ...values);
      },
    },
  });
  return { paused, reached, proceed };
}

test("no other process makes an export meanwhile, and a deleted one leaves nothing behind", async () => {
  hub.clock.advance(3 * DAY_MS);
  await purgeExports(hub, 100);
  const file = await insertFile(hub, user.account, "content");
  const before = await listContents();
  const { paused, reached, proceed } = pausingHub(file);
  const { id } = await startExport(ctx);
  const making = makeExport(paused, never, { id, partBytes: 1 });
  await reached;
  expect(await makeExport(hub, never, { id })).toBe(false);
  await deleteExport(ctx, id);
  proceed();
  expect(await making).toBe(true);
  await purgeExports(hub, 100);
  expect(await listContents()).toEqual(before);
  expect(await user.console.exports.newest()).toBeNull();
});

test("the export of a suspended account ends", async () => {
  const file = await insertFile(hub, user.account, "content");
  const { paused, reached, proceed } = pausingHub(file);
  const { id } = await startExport(ctx);
  const making = makeExport(paused, never, { id });
  await reached;
  await suspendAccount(hub, testOperator, { id: user.account, suspended: true });
  await purgeExports(hub, 100);
  proceed();
  await making;
  expect(await newest()).toMatchObject({ state: "failed", error: "The account was suspended." });
  await purgeExports(hub, 100);
  const parts = await hub.db.query("SELECT key FROM account_export_part WHERE export_id = $1", [id]);
  expect(parts).toEqual([]);
});

test.runIf(isSoak)("an export that is killed continues after its last part", async () => {
  ctx = (await newConsoleUser(liveHub)).session;
  await insertGenerations(50);
  const files: string[] = [];
  for (let n = 0; n < 8; n += 1) files.push(await insertFile(liveHub, ctx.account.id, Buffer.alloc(10_000, n)));
  const { id } = await startExport(ctx);
  const env = {
    ...process.env,
    DATABASE_URL: liveHub.databaseUrl,
    HUB_DATA_DIR: liveHub.folder,
    HUB_SECRET: liveHub.secret,
    BASE_URL: "http://localhost:3000",
    LOG_LEVEL: "error",
    // The newest file is the first.
    HANG_AT: files[2],
    PART_BYTES: "20000",
  };
  const child = spawn(process.execPath, [await bundleProgram("test/exports/export-process.ts")], {
    env,
    stdio: "inherit",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const countParts = async () => {
    const [row] = await liveHub.db.query<{ parts: number }>("SELECT parts FROM account_export WHERE id = $1", [id]);
    return row!.parts;
  };
  const opened = () => liveHub.db.query("SELECT key FROM account_export_part WHERE export_id = $1 AND n IS NULL", [id]);
  await vi.waitFor(
    async () => {
      expect(await countParts()).toBeGreaterThanOrEqual(2);
      expect(await opened()).toHaveLength(1);
    },
    // A process with the whole hub starts first, on a machine that may be busy.
    { timeout: 60_000, interval: 20 },
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  const parts = await countParts();
  expect(await makeExport(liveHub, never, { id })).toBe(false);
  liveHub.clock.advance(61_000);
  expect(await makeUntilEnd(liveHub)).toMatchObject({ state: "ready", missing_files: 0 });
  expect(await countParts()).toBeGreaterThan(parts);
  const { bad, texts, hashes, names } = await download();
  expect(bad).toBeNull();
  expect(linesOf(texts["generations.jsonl"])).toHaveLength(50);
  expect(new Set(names).size).toBe(names.length);
  const uploads = names.filter((name) => name.startsWith("uploads/"));
  expect(uploads.map((name) => hashes[name])).toEqual(
    files.map((_, n) => hashOf(Buffer.alloc(10_000, n))).toReversed(),
  );
});
