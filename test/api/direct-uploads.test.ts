import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { expireFiles } from "../../server/domain/files/expire";
import { readEnv } from "../../server/env";
import { newId } from "../../server/lib/id";
import { samples } from "../files/samples";
import { insertFile } from "../insert-file";
import { openRealBucket } from "../versitygw";
import { callApi } from "./call";
import { newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const PATH = "/api/v1/hub/uploads";
const bucket = await openRealBucket();
const host = await openOwnHost({ ...bucket.env, UPLOAD_QUOTA_BYTES: "1000000" });
const { hub } = host;
const [, png] = samples[0]!;
const hashOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");

interface Upload {
  id: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  expires_at: string;
}

const begin = (key: string, content: Buffer, changes: object = {}) =>
  callApi(host, "POST", PATH, { key, body: { size: content.length, sha256: hashOf(content), ...changes } });
async function beginUpload(key: string, content: Buffer, changes: object = {}): Promise<Upload> {
  const reply = await begin(key, content, changes);
  expect(reply.status).toBe(201);
  return reply.body as unknown as Upload;
}
const send = ({ url, method, headers }: Upload, content: Buffer) =>
  fetch(url, { method, headers, body: new Uint8Array(content) });
const complete = (key: string, id: string) => callApi(host, "POST", `${PATH}/${id}/complete`, { key });
const usedBytes = async (account: number) => {
  const [row] = await hub.db.query<{ upload_bytes: bigint }>("SELECT upload_bytes FROM account WHERE id = $1", [
    account,
  ]);
  return Number(row!.upload_bytes);
};
const staged = async () => (await bucket.keys()).filter((key) => key.includes("incoming/"));

test("content that was sent to the bucket becomes a file, once, however often it is completed", async () => {
  const { key, account } = await newCustomer(hub);
  const upload = await beginUpload(key, png, { name: "../dawn.png", media_type: "text/plain" });
  expect(upload).toMatchObject({ method: "PUT", headers: { "x-amz-checksum-sha256": expect.any(String) as string } });
  expect((Date.parse(upload.expires_at) - hub.now().getTime()) / 3_600_000).toBeCloseTo(6, 1);
  expect(await usedBytes(account)).toBe(png.length);
  const early = await complete(key, upload.id);
  expect([early.status, early.body.code]).toEqual([409, "invalid_state"]);
  expect((await send(upload, png)).status).toBe(200);

  const completed = await Promise.all([1, 2, 3].map(() => complete(key, upload.id)));
  expect(completed.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(completed.map(({ body }) => body.id)).size).toBe(1);
  const { body, headers } = completed[0]!;
  expect(body).toMatchObject({ name: "dawn.png", size: png.length, media_type: "image/png", sha256: hashOf(png) });
  expect(headers.get("location")).toBe(`/api/v1/hub/files/${String(body.id)}`);
  expect(await usedBytes(account)).toBe(png.length);
  const content = await callApi(host, "GET", headers.get("location")!, { key });
  expect(content.bytes.equals(png)).toBe(true);

  // The link still works, and changes nothing.
  await send(upload, png);
  expect((await complete(key, upload.id)).body.id).toBe(body.id);
  hub.clock.advance(8 * 3_600_000);
  await expireFiles(hub, 100);
  expect(await staged()).toEqual([]);
  expect(await usedBytes(account)).toBe(png.length);
  expect((await complete(key, upload.id)).status).toBe(404);
  expect((await callApi(host, "GET", headers.get("location")!, { key })).status).toBe(200);
});

test("content that a generation waits for queues it", async () => {
  const { key } = await newCustomer(hub);
  const input = { prompt: "a tree", image_input: [`sha256:${hashOf(png)}`] };
  const made = await callApi(host, "POST", "/api/v1/hub/generations", { key, body: { model: "sandbox-image", input } });
  expect(made.body.status).toBe("awaiting_supply");
  const upload = await beginUpload(key, png);
  await send(upload, png);
  await complete(key, upload.id);
  const found = await callApi(host, "GET", `/api/v1/hub/generations/${String(made.body.id)}`, { key });
  expect(found.body.status).toBe("queued");
});

test("content of another size, hash or of an unsupported type is rejected and removed", async () => {
  const { key, account } = await newCustomer(hub);
  const html = Buffer.from("<html><script>1</script>");
  const attempts = [
    { upload: await beginUpload(key, html), content: html, place: "file" },
    { upload: await beginUpload(key, png, { size: png.length + 1 }), content: png, place: "size" },
    {
      upload: await beginUpload(key, png),
      content: Buffer.concat([png.subarray(0, -1), Buffer.of(7)]),
      place: "sha256",
    },
  ];
  for (const { upload, content, place } of attempts) {
    const sent = await send(upload, content);
    // A bucket that checks the hash stores nothing.
    if (sent.status !== 200) continue;
    const reply = await complete(key, upload.id);
    expect({ place, status: reply.status }).toEqual({ place, status: 400 });
    expect(Object.keys(reply.body.errors as object)).toEqual([place]);
    expect((await complete(key, upload.id)).body.code).toBe("invalid_state");
  }
  expect(await staged()).toEqual([]);
  hub.clock.advance(8 * 3_600_000);
  await expireFiles(hub, 100);
  expect(await usedBytes(account)).toBe(0);
  expect(await staged()).toEqual([]);
});

test("a link keeps its size reserved for as long as it can store content", async () => {
  const { key, account } = await newCustomer(hub);
  const html = Buffer.from("<html><script>1</script>");
  const rejected = await beginUpload(key, html);
  await send(rejected, html);
  expect((await complete(key, rejected.id)).status).toBe(400);
  await send(rejected, html);
  expect(await usedBytes(account)).toBe(html.length);

  const upload = await beginUpload(key, png);
  const makeFile = async () => {
    await send(upload, png);
    return String((await complete(key, upload.id)).body.id);
  };
  const remove = (id: string) => callApi(host, "DELETE", `/api/v1/hub/files/${id}`, { key });
  const first = await makeFile();
  expect((await remove(first)).status).toBe(204);
  expect(await usedBytes(account)).toBe(html.length + png.length);
  // Sent again, it becomes another file, and counts once.
  const second = await makeFile();
  expect(second).not.toBe(first);
  expect(await usedBytes(account)).toBe(html.length + png.length);

  hub.clock.advance(8 * 3_600_000);
  await expireFiles(hub, 100);
  expect(await staged()).toEqual([]);
  expect(await usedBytes(account)).toBe(png.length);
  expect((await remove(second)).status).toBe(204);
  expect(await usedBytes(account)).toBe(0);
});

test("sizes are reserved in the quota from the start, and free again when an upload expires", async () => {
  const { key, account } = await newCustomer(hub);
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => begin(key, randomBytes(300_000))));
  expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(outcomes.filter(({ body }) => body.code === "payload_too_large")).toHaveLength(3);
  expect(await usedBytes(account)).toBe(900_000);
  hub.clock.advance(8 * 3_600_000);
  await Promise.all([expireFiles(hub, 100), expireFiles(hub, 100)]);
  expect(await usedBytes(account)).toBe(0);
});

test("another account's upload and a missing one look the same", async () => {
  const [owner, other] = [await newCustomer(hub), await newCustomer(hub)];
  const upload = await beginUpload(owner.key, png);
  await send(upload, png);
  const [foreign, missing] = [await complete(other.key, upload.id), await complete(other.key, newId())];
  const { request_id: one, instance: at, ...first } = foreign.body;
  const { request_id: two, instance: place, ...second } = missing.body;
  expect([foreign.status, first]).toEqual([missing.status, second]);
  expect([one === two, at === place]).not.toContain(undefined);
  expect((await complete(owner.key, upload.id)).status).toBe(201);
});

test.each([
  ["size", { size: 0 }],
  ["size", { size: 5 * 1024 ** 3 + 1 }],
  ["size", { size: "12" }],
  ["sha256", { sha256: "00" }],
])("rejects an impossible %s %j", async (place, changes) => {
  const { key } = await newCustomer(hub);
  const reply = await begin(key, png, changes);
  expect(reply.status).toBe(400);
  expect(Object.keys(reply.body.errors as object)).toEqual([place]);
});

test("a hub without a bucket names the other way", async () => {
  const local = await openOwnHost();
  const { key } = await newCustomer(local.hub);
  const body = { size: png.length, sha256: hashOf(png) };
  const reply = await callApi(local, "POST", PATH, { key, body });
  expect([reply.status, reply.body.detail]).toEqual([404, expect.stringContaining("POST /api/v1/hub/files") as string]);
});

test("downloads are redirected to the bucket by choice, for a minute, and only content", async () => {
  const redirecting = await openOwnHost({ ...bucket.env, FILES_REDIRECT: "on" });
  const { key } = await newCustomer(redirecting.hub);
  const body = new FormData();
  body.append("file", new Blob([new Uint8Array(png)]), "dawn.png");
  const authorization = `Bearer ${key}`;
  const post = await fetch(`${redirecting.url}/api/v1/hub/files`, { method: "POST", body, headers: { authorization } });
  const { id } = (await post.json()) as { id: string };
  const get = (headers: Record<string, string> = {}, method = "GET") =>
    fetch(`${redirecting.url}/api/v1/hub/files/${id}`, {
      method,
      headers: { authorization, ...headers },
      redirect: "manual",
    });
  const found = await get();
  expect([found.status, found.headers.get("cache-control")]).toEqual([302, "private, no-store"]);
  const location = new URL(found.headers.get("location")!);
  expect(location.searchParams.get("X-Amz-Expires")).toBe("60");
  const read = await fetch(location, { headers: { range: "bytes=1-3" } });
  expect([read.status, await read.text()]).toEqual([206, "PNG"]);
  expect(location.searchParams.get("response-content-disposition")).toMatch(/^inline.*dawn\.png/);
  expect((await get({}, "HEAD")).headers.get("content-length")).toBe(String(png.length));
  expect((await get({ "if-none-match": `"${hashOf(png)}"` })).status).toBe(304);
  expect((await get({ range: "bytes=999999-" })).status).toBe(416);
  expect((await get({ authorization: "" })).status).toBe(401);

  const customer = await redirecting.hub.db.query<{ account_id: number }>("SELECT account_id FROM file WHERE id = $1", [
    id,
  ]);
  const svg = await insertFile(redirecting.hub, customer[0]!.account_id, "<svg/>", { mediaType: "image/svg+xml" });
  const drawing = await fetch(`${redirecting.url}/api/v1/hub/files/${svg}`, {
    headers: { authorization },
    redirect: "manual",
  });
  const drawingLink = new URL(drawing.headers.get("location")!);
  expect(drawingLink.searchParams.get("response-content-disposition")).toMatch(/^attachment/);

  const settings = { ...bucket.env, FILES_REDIRECT: "on", BASE_URL: bucket.env.STORAGE_S3_ENDPOINT };
  expect(() => readEnv(settings)).toThrow("FILES_REDIRECT: needs a bucket at another origin than BASE_URL");
  expect(() => readEnv({ FILES_REDIRECT: "on" })).toThrow("FILES_REDIRECT: needs STORAGE_S3_BUCKET");
});

test("the audit finds no violation after these uploads", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
