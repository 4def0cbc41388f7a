import { expect, test } from "vitest";
import { openFileHub } from "../../../test/file-hub";
import { deriveHub } from "../../../test/derive-hub";
import { newId } from "../../lib/id";
import { deleteFile } from "./delete";
import { listFiles } from "./list";
import { findFile, openContent } from "./find-file";

const { hub, advance, newAccount, ctxOf, queue, end, start, store, output, upload } = await openFileHub();
const DAY_MS = 86_400_000;
const ids = async (account: number, query: Partial<Parameters<typeof listFiles>[1]> = {}) =>
  (await listFiles(ctxOf(account), { limit: 20, ...query })).data.map(({ id }) => id);

test("lists uploads and outputs together or by kind, newest first and page by page", async () => {
  const account = await newAccount();
  const made: string[] = [];
  for (let n = 0; n < 4; n += 1) made.unshift(await output(account), (await upload(account, `text ${n}`)).id);
  made.sort().reverse();
  await output(await newAccount());
  expect(await ids(account)).toEqual(made);

  for (const kind of [undefined, "upload", "output"] as const) {
    const paged: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await listFiles(ctxOf(account), { limit: 3, kind, cursor });
      paged.push(...page.data.map(({ id }) => id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(await ids(account, { kind }));
    expect(paged).toHaveLength(kind ? 4 : 8);
  }
});

test("a cursor is valid only for its account and filter", async () => {
  const account = await newAccount();
  for (let n = 0; n < 3; n += 1) await upload(account, "x");
  const { next_cursor } = await listFiles(ctxOf(account), { limit: 1, kind: "upload" });
  const rejection = { code: "invalid_input" };
  await expect(ids(account, { cursor: next_cursor! })).rejects.toMatchObject(rejection);
  await expect(ids(await newAccount(), { cursor: next_cursor!, kind: "upload" })).rejects.toMatchObject(rejection);
});

test("omits unfinished, expired and deleted files, and lists files in use", async () => {
  const account = await newAccount();
  const [used, free] = [await upload(account, "used"), await upload(account, "free")];
  const running = await start(account);
  await store(running, account, 0, "not yet");
  const keptFile = await output(account);
  const generation = await queue(account, { image_input: [used.id] });
  expect(await ids(account)).toEqual([keptFile, free.id, used.id].sort().reverse());
  advance(2 * DAY_MS);
  expect(await ids(account)).toEqual([keptFile, used.id].sort().reverse());
  await end(generation, "failed");
  expect(await ids(account)).toEqual([keptFile]);
  await deleteFile(ctxOf(account), keptFile);
  expect(await ids(account)).toEqual([]);
});

test("uses its index, however many files other accounts have and the account had", async () => {
  const account = await newAccount();
  const fill = (owner: number, removed: number) =>
    hub.db.query(
      `INSERT INTO file (id, account_id, media_type, sha256, size, created_at, stored_at, expires_at, removed_at)
       SELECT gen_random_uuid(), $1, 'text/plain', decode(repeat('00', 32), 'hex'), 1, $2, $2, $3,
              CASE WHEN n <= $4 THEN $2::timestamptz END
       FROM generate_series(1, 10000) n`,
      [owner, hub.now(), new Date(hub.now().getTime() + DAY_MS), removed],
    );
  await fill(account, 9_500);
  await fill(await newAccount(), 0);
  await hub.db.query("ANALYZE file");
  for (const kind of [undefined, "upload", "output"] as const) {
    const seen: string[] = [];
    const query: typeof hub.db.query = async (sql, values) => {
      seen.push(
        ...(await hub.db.query<{ "QUERY PLAN": string }>(`EXPLAIN ${sql}`, values)).map((row) => row["QUERY PLAN"]),
      );
      return hub.db.query(sql, values);
    };
    await listFiles({ ...ctxOf(account), hub: deriveHub(hub, { db: { ...hub.db, query } }) }, { limit: 20, kind });
    expect(seen.join("\n")).toContain(kind ? `file_newest_${kind}` : "file_newest ");
    expect(seen.join("\n")).not.toMatch(/Seq Scan on file|Sort/);
  }
});

test("a deleted file is removed at once and its row stays; other accounts get a 404", async () => {
  const account = await newAccount();
  const file = await upload(account, "x");
  const ctx = ctxOf(account);
  const unknown = { code: "resource_not_found", message: "Resource not found" };
  await expect(deleteFile(ctxOf(await newAccount()), file.id)).rejects.toMatchObject(unknown);
  for (const id of [newId(), "no-id", ""]) await expect(deleteFile(ctx, id)).rejects.toMatchObject(unknown);
  await deleteFile(ctx, file.id.toUpperCase());
  await expect(findFile(ctx, file.id)).rejects.toMatchObject({ code: "file_expired" });
  await expect(openContent(hub, file)).rejects.toMatchObject({ code: "file_expired" });
  await expect(deleteFile(ctx, file.id)).rejects.toMatchObject(unknown);
  expect((await hub.db.prisma.file.findUnique({ where: { id: file.id } }))!.removedAt).toEqual(hub.now());
});

test("a file that an unsettled generation uses cannot be deleted until the generation ends", async () => {
  const account = await newAccount();
  const file = await upload(account, "x");
  const generation = await queue(account, { image_input: [file.id] });
  advance(1);
  await expect(deleteFile(ctxOf(account), file.id)).rejects.toMatchObject({ code: "file_in_use" });
  await end(generation, "failed");
  await deleteFile(ctxOf(account), file.id);
});
