import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createShareApp } from "../../server/api/shares/app";
import { serveContent } from "../../server/api/content";
import { deleteFile } from "../../server/domain/files/delete";
import { findFile } from "../../server/domain/files/find-file";
import { createShareLink } from "../../server/domain/shares/create-link";
import {
  listShareLinks,
  purgeShareLinks,
  revokeShareLink,
  serializeShareLink,
} from "../../server/domain/shares/list-links";
import { revokeReportedLink } from "../../server/domain/shares/revoke-reported";
import { storeOutput } from "../../server/domain/files/store-output";
import { readEnv } from "../../server/env";
import { openStorage } from "../../server/storage/open-storage";
import { deriveHub } from "../derive-hub";
import { openFileHub } from "../file-hub";
import { insertFile } from "../insert-file";
import { testOperator } from "../operator";

const fileHub = await openFileHub();
const { hub, advance, ctxOf, newAccount, output, start, end } = fileHub;
const app = createShareApp(hub);
const DAY_MS = 86_400_000;
const account = await newAccount();

const share = async (file_id: string, { days = 7, shows_prompt = false, owner = account } = {}) => {
  const { url } = await createShareLink(ctxOf(owner), { file_id, days: days as 7, shows_prompt });
  return new URL(url).pathname.replace("/base", "");
};
const get = async (path: string, init: RequestInit = {}, served = app) =>
  served.request(`https://hub.example${path}`, init);
const statusOf = async (path: string) => (await get(path)).status;
const linksOf = async (owner = account) => (await listShareLinks(ctxOf(owner), { limit: 100 })).data;
/** Stores an output of this type, and returns the path of a link to it. */
const shareOutput = async (mediaType: string, content: string) => {
  const generationId = await start(account);
  const chunks = (async function* () {
    yield Buffer.from(content);
  })();
  await storeOutput(hub, { generationId, accountId: account, index: 0 }, { mediaType, content: chunks });
  await end(generationId, "succeeded", 1);
  const [file] = await hub.db.query<{ id: string }>("SELECT id FROM file WHERE generation_id = $1", [generationId]);
  return share(file!.id);
};

test("a link shows the output, the model and that it is made with AI, and the prompt by choice only", async () => {
  const file = await output(account);
  const page = await get(await share(file));
  expect(page.status).toBe(200);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": expect.stringContaining("noindex") as string,
  });
  const text = await page.text();
  expect(text).toContain("Picture made with AI");
  expect(text).toContain(hub.catalogue.get("sandbox-image")!.name);
  expect(text).toMatch(/<meta name="robots" content="noindex/);
  expect(text).not.toContain("a tree");
  expect(await (await get(await share(file, { shows_prompt: true }))).text()).toContain("a tree");
});

test("the page allows its own style, in the console's colors, and no script", async () => {
  const page = await get(await share(await output(account)));
  const policy = page.headers.get("content-security-policy")!;
  const style = /<style>([^]*?)<\/style>/.exec(await page.text())![1]!;
  expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("script");
  const colors = style.match(/--[\w-]+: light-dark\(.*\);/g)!;
  expect(colors.length).toBeGreaterThan(5);
  const globals = readFileSync("app/globals.css", "utf8");
  expect(colors.filter((color) => !globals.includes(color))).toEqual([]);
});

test("a prompt and a model's name are text, whatever they contain", async () => {
  const file = await output(account);
  await hub.db.query("UPDATE generation SET input = $2 WHERE id = (SELECT generation_id FROM file WHERE id = $1)", [
    file,
    { prompt: `</dd><script>alert(1)</script>${"long ".repeat(2_000)}` },
  ]);
  const text = await (await get(await share(file, { shows_prompt: true }))).text();
  expect(text).toContain("&lt;script&gt;");
  expect(text).not.toContain("<script");
  expect(text.length).toBeLessThan(12_000);
});

test("the file has its content, ranges and headers that let nothing run or stay in a cache", async () => {
  const path = `${await share(await output(account, "0123456789"))}/file`;
  const whole = await get(path);
  expect([whole.status, await whole.text()]).toEqual([200, "0123456789"]);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "cache-control": "private, no-cache",
    "content-security-policy": "sandbox; default-src 'none'",
    "content-type": "image/png",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-robots-tag": expect.stringContaining("noindex") as string,
  });
  const range = await get(path, { headers: { range: "bytes=2-4" } });
  expect([range.status, await range.text()]).toEqual([206, "234"]);
  expect((await get(path, { headers: { "if-none-match": whole.headers.get("etag")! } })).status).toBe(304);
  expect((await get(path, { headers: { range: "bytes=99-" } })).status).toBe(416);
  expect((await get(path, { method: "POST" })).status).toBe(405);
});

test.each([
  ["text/html", "<script>alert(1)</script>"],
  ["image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"],
  ["application/xhtml+xml", "<html/>"],
  ["image/png; charset=x", "<html/>"],
])("an output of the type %s is saved as unknown bytes, never shown", async (mediaType, content) => {
  const path = await shareOutput(mediaType, content);
  const file = await get(`${path}/file`);
  expect(file.headers.get("content-type")).toBe("application/octet-stream");
  expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
  expect(file.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  const page = await (await get(path)).text();
  expect(page).toContain("can’t be shown here");
  expect(page).not.toMatch(/<(?:img|video|audio|iframe|object)/);
});

test.each([
  ["video/mp4", "<video"],
  ["audio/mpeg", "<audio"],
])("an output of the type %s has a player", async (mediaType, element) => {
  expect(await (await get(await shareOutput(mediaType, "content"))).text()).toContain(element);
});

test("the file never redirects to the bucket, whose links would outlive the share link", async () => {
  const file = await output(account);
  const settings = { FILES_REDIRECT: "on", STORAGE_S3_BUCKET: "files", STORAGE_S3_ENDPOINT: "http://127.0.0.1:9" };
  const keys = { STORAGE_S3_ACCESS_KEY_ID: "key", STORAGE_S3_SECRET_ACCESS_KEY: "secret" };
  const { direct } = await openStorage(readEnv({ ...settings, ...keys }));
  const redirecting = deriveHub(hub, {
    env: { ...hub.env, FILES_REDIRECT: "on" },
    storage: { ...hub.storage, direct },
  });
  const row = await findFile(ctxOf(account), file);
  expect((await serveContent(redirecting, row, new Request("https://hub.example"))).status).toBe(302);
  const shared = await get(`${await share(file)}/file`, {}, createShareApp(redirecting));
  expect([shared.status, await shared.text()]).toEqual([200, "content"]);
});

test("links that never existed, ended, were revoked or lost their content look the same", async () => {
  const ended = await share(await output(account), { days: 1 });
  const revoked = await share(await output(account));
  const [newest] = await linksOf();
  const file = await output(account);
  const removed = await share(file);
  const suspendedAccount = await newAccount();
  const suspended = await share(await output(suspendedAccount), { owner: suspendedAccount });
  const working = await share(await output(account));
  for (const path of [ended, revoked, removed, suspended]) expect(await statusOf(path)).toBe(200);

  advance(DAY_MS);
  await revokeShareLink(ctxOf(account), newest!.id);
  await deleteFile(ctxOf(account), file);
  await hub.db.query("UPDATE account SET suspended = true WHERE id = $1", [suspendedAccount]);
  const off = createShareApp(deriveHub(hub, { env: { ...hub.env, SHARE_LINKS: "off" } }));
  for (const suffix of ["", "/file"]) {
    const describe = async (path: string, served = app) => {
      const { status, headers, ...reply } = await get(path + suffix, {}, served).then(async (reply) => ({
        status: reply.status,
        headers: Object.fromEntries(reply.headers),
        text: await reply.text(),
      }));
      return { status, headers: { ...headers, "x-request-id": "" }, ...reply };
    };
    const unknown = await describe(`/s/${"A".repeat(43)}`);
    expect(unknown.status).toBe(404);
    for (const path of ["/s/short", ended, revoked, removed, suspended]) expect(await describe(path)).toEqual(unknown);
    expect(await describe(working, off)).toEqual(unknown);
  }
  expect(await statusOf(working)).toBe(200);
});

test("a link ends with its file at the latest, and with the file's row", async () => {
  const file = await output(account);
  advance(29 * DAY_MS);
  const { expires_at } = await createShareLink(ctxOf(account), { file_id: file, days: 7, shows_prompt: false });
  expect(Date.parse(expires_at) - hub.now().getTime()).toBe(DAY_MS);
  await hub.db.query("DELETE FROM file WHERE id = $1", [file]);
  expect((await linksOf()).filter((link) => link.file_id === file)).toEqual([]);
});

test("only outputs of the account itself can be shared, and only its own links listed and revoked", async () => {
  const other = await newAccount();
  const file = await output(account);
  const upload = await insertFile(hub, account, "upload");
  const expired = await output(account);
  await hub.db.query("UPDATE file SET expires_at = $2 WHERE id = $1", [expired, hub.now()]);
  for (const id of [upload, expired, "none", crypto.randomUUID()])
    await expect(share(id)).rejects.toMatchObject({ code: "resource_not_found" });
  await expect(share(file, { owner: other })).rejects.toMatchObject({ code: "resource_not_found" });

  await share(file);
  const [link] = await linksOf();
  expect(serializeShareLink(hub, link!)).toMatchObject({
    state: "active",
    file: { name: "sandbox-image-1.png", media_type: "image/png", size: 7 },
    views: 0,
    last_viewed_at: null,
  });
  expect(await linksOf(other)).toEqual([]);
  await expect(revokeShareLink(ctxOf(other), link!.id)).rejects.toMatchObject({ code: "resource_not_found" });
  await revokeShareLink(ctxOf(account), link!.id);
  await expect(revokeShareLink(ctxOf(account), link!.id)).rejects.toMatchObject({ code: "resource_not_found" });
});

test("only the hash of a token is stored, and a suspended account or a closed setting creates no link", async () => {
  const file = await output(account);
  const token = (await share(file)).split("/").at(-1)!;
  const rows = await hub.db.query<{ row: string }>("SELECT share_link::text AS row FROM share_link");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ row }) => row.includes(token))).toEqual([]);
  const off = deriveHub(hub, { env: { ...hub.env, SHARE_LINKS: "off" } });
  const input = { file_id: file, days: 1, shows_prompt: false } as const;
  await expect(createShareLink({ ...ctxOf(account), hub: off }, input)).rejects.toMatchObject({
    code: "invalid_state",
  });
  const suspended = await newAccount();
  const theirs = await output(suspended);
  await hub.db.query("UPDATE account SET suspended = true WHERE id = $1", [suspended]);
  await expect(share(theirs, { owner: suspended })).rejects.toMatchObject({ code: "invalid_state" });
});

test("an operator revokes a reported link by its address, once, in the audit log", async () => {
  const path = await share(await output(account));
  const report = { link: `https://hub.example/base${path}?x=1`, reason: "reported" };
  expect(await revokeReportedLink(hub, testOperator, report)).toBe(account);
  expect(await revokeReportedLink(hub, testOperator, report)).toBe(null);
  expect(await statusOf(path)).toBe(404);
  const actions = await hub.db.query("SELECT before FROM operator_action WHERE action = 'share-link.revoke'");
  expect(actions).toEqual([{ before: { account, file: expect.any(String) as string } }]);
  const wrong = revokeReportedLink(hub, testOperator, { link: "https://hub.example/files" });
  await expect(wrong).rejects.toMatchObject({ code: "invalid_input" });
});

test("an account has at most 1,000 links at a time, also if many are created at once", async () => {
  const owner = await newAccount();
  const file = await output(owner);
  await hub.db.query(
    `INSERT INTO share_link (id, account_id, file_id, hash, shows_prompt, created_at, expires_at)
     SELECT gen_random_uuid(), $1, $2, sha256(n::text::bytea), false, $3, $4 FROM generate_series(1, 998) AS n`,
    [owner, file, hub.now(), new Date(hub.now().getTime() + DAY_MS)],
  );
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => share(file, { owner })));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
});

test("views are counted together, not one by one, and HEAD and the file are none", async () => {
  const path = await share(await output(account));
  const [link] = await linksOf();
  const writes: string[] = [];
  const query: typeof hub.db.query = (text, ...rest) => {
    if (text.includes("UPDATE share_link")) writes.push(text);
    return hub.db.query(text, ...rest);
  };
  const counting = deriveHub(hub, { db: { ...hub.db, query } });
  const served = createShareApp(counting);
  await Promise.all(Array.from({ length: 50 }, () => get(path, {}, served)));
  await get(path, { method: "HEAD" }, served);
  await get(`${path}/file`, {}, served);
  await counting.services.shareViews.flush();
  expect((await linksOf()).find(({ id }) => id === link!.id)).toMatchObject({ views: 50, last_viewed_at: hub.now() });
  expect(writes.length).toBeGreaterThan(0);
  expect(writes.length).toBeLessThan(5);
});

test("a network that asks too often is rejected, whether its links work or not", async () => {
  const path = await share(await output(account));
  // A network of its own, because other requests of this suite count too.
  const network = { incoming: { socket: { remoteAddress: "203.0.113.9" } } };
  const ask = (asked: string) => app.request(`https://hub.example${asked}`, {}, network);
  const statuses: number[] = [];
  for (let n = 0; n < 301; n += 1) statuses.push((await ask(n % 2 ? path : "/s/none")).status);
  expect(statuses.slice(0, 300).every((status, n) => status === (n % 2 ? 200 : 404))).toBe(true);
  const rejected = await ask(path);
  expect([statuses[300], rejected.status]).toEqual([429, 429]);
  expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await rejected.text()).toContain("Try again later");
  expect(await statusOf(path)).toBe(200);
});

test("a link that is asked for too often is rejected from every network, and other links are not", async () => {
  const [popular, other] = [await share(await output(account)), await share(await output(account))];
  const { byLink } = hub.services.rateLimits.sharedOutputs;
  const ask = (path: string, remoteAddress: string) =>
    app.request(`https://hub.example${path}`, {}, { incoming: { socket: { remoteAddress } } });
  const { id } = (await linksOf())[1]!;
  for (let n = 0; n < 2_998; n += 1) await byLink.consume(id);
  const statuses: number[] = [];
  for (const network of [1, 2, 3, 4]) statuses.push((await ask(popular, `198.51.${network}.1`)).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  expect((await ask(other, "198.51.3.1")).status).toBe(200);
  advance(60_000);
  expect((await ask(popular, "198.51.4.1")).status).toBe(200);
});

test("links are deleted 30 days after they ended, and not before", async () => {
  await share(await output(account), { days: 1 });
  const [link] = await linksOf();
  const isListed = async () => (await linksOf()).some(({ id }) => id === link!.id);
  advance(30.9 * DAY_MS);
  await purgeShareLinks(hub, 10_000);
  expect(await isListed()).toBe(true);
  advance(0.2 * DAY_MS);
  await purgeShareLinks(hub, 10_000);
  expect(await isListed()).toBe(false);
});
