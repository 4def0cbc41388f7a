import { expect, test } from "vitest";
import { chunksOf, openFileHub } from "../../../test/file-hub";
import { acceptUpload } from "../inputs/accept-upload";
import { deriveHub } from "../../../test/derive-hub";
import { newId } from "../../lib/id";
import { deleteFile, deleteFiles } from "./delete";
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

test("finds files by a part of their name and by type, within their kind", async () => {
  const account = await newAccount();
  const add = async (name: string, content = "text") =>
    (await acceptUpload(ctxOf(account), chunksOf(content), () => name)).id;
  const [notes, list, discount] = [await add("Harbour notes.txt"), await add("list.json", "[]"), await add("100%.txt")];
  const picture = await output(account);
  await add("nobody's harbour.txt").then((id) => deleteFile(ctxOf(account), id));
  const other = await newAccount();
  await acceptUpload(ctxOf(other), chunksOf("x"), () => "harbour.txt");

  expect(await ids(account, { q: "HARBOUR" })).toEqual([notes]);
  expect(await ids(account, { q: "0%." })).toEqual([discount]);
  expect(await ids(account, { q: "%" })).toEqual([discount]);
  expect(await ids(account, { q: "_" })).toEqual([]);
  expect(await ids(account, { q: "\\" })).toEqual([]);
  expect(await ids(account, { q: "sandbox-image-1.png" })).toEqual([picture]);
  expect(await ids(account, { q: "sandbox", kind: "upload" })).toEqual([]);
  expect(await ids(account, { type: "image" })).toEqual([picture]);
  expect(await ids(account, { type: "video" })).toEqual([]);
  expect(await ids(account, { type: "other" })).toEqual([discount, list, notes]);
  const first = await listFiles(ctxOf(account), { limit: 2, type: "other" });
  expect(await ids(account, { type: "other", cursor: first.next_cursor! })).toEqual([notes]);
});

test("deletes several files, keeps those in use, and skips those of others", async () => {
  const account = await newAccount();
  const [free, used] = [await upload(account, "free"), await upload(account, "used")];
  const foreign = await upload(await newAccount(), "x");
  await queue(account, { image_input: [used.id] });
  const all = [free.id, free.id, used.id, foreign.id, newId(), "none"];
  expect(await deleteFiles(ctxOf(account), all)).toEqual({ deleted: 1, in_use: 1 });
  expect(await ids(account)).toEqual([used.id]);
  expect((await findFile(ctxOf(foreign.account_id), foreign.id)).id).toBe(foreign.id);
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
  const [account, searching] = [await newAccount(), await newAccount()];
  const fill = (owner: number, count: number, removed = 0) =>
    hub.db.query(
      `INSERT INTO file (id, account_id, media_type, sha256, size, created_at, stored_at, expires_at, removed_at)
       SELECT gen_random_uuid(), $1, 'text/plain', decode(repeat('00', 32), 'hex'), 1, $2, $2, $3,
              CASE WHEN n <= $4 THEN $2::timestamptz END
       FROM generate_series(1, $5) n`,
      [owner, hub.now(), new Date(hub.now().getTime() + DAY_MS), removed, count],
    );
  await fill(account, 10_000, 9_500);
  await fill(searching, 100);
  await fill(await newAccount(), 10_000);
  await hub.db.query("ANALYZE file");
  for (const kind of [undefined, "upload", "output"] as const) {
    const index = kind ? `file_newest_${kind}` : "file_newest ";
    const plan = await explainList(account, { kind });
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan on file|Sort/);
    const searchPlan = await explainList(searching, { kind, q: "harbour" });
    expect(searchPlan).toContain(index);
    expect(searchPlan).not.toMatch(/Seq Scan on file/);
  }
});

/** Returns the plan of the statement by which an account's files are listed. */
async function explainList(account: number, query: Partial<Parameters<typeof listFiles>[1]>): Promise<string> {
  const plan: string[] = [];
  const explain: typeof hub.db.query = async (sql, values) => {
    const rows = await hub.db.query<{ "QUERY PLAN": string }>(`EXPLAIN ${sql}`, values);
    plan.push(...rows.map((row) => row["QUERY PLAN"]));
    return hub.db.query(sql, values);
  };
  const explaining = deriveHub(hub, { db: { ...hub.db, query: explain } });
  await listFiles({ ...ctxOf(account), hub: explaining }, { limit: 20, ...query });
  return plan.join("\n");
}

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
