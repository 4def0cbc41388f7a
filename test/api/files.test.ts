import { createHash, randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { signLink } from "../../server/domain/input-files/signed-url";
import { storeOutput } from "../../server/domain/files/store-output";
import { alterEnd } from "../alter-end";
import { makePng } from "../media/png";
import { callApi } from "./call";
import { type Customer, newCustomer } from "./customer";
import { type Host, openSmokeHosts, openOwnHost } from "./hosts";
import { PUBLIC } from "./published";

const hosts = await openSmokeHosts();
const own = await openOwnHost();
const content = randomBytes(100_000);
const etag = `"${createHash("sha256").update(content).digest("hex")}"`;

/** Creates a finished output of the customer, without a run. */
async function newFile(host: Host, owner: Customer, mediaType = "image/png", bytes: Buffer = content): Promise<string> {
  const made = await callApi(host, "POST", "/api/v1/hub/generations", {
    key: owner.key,
    body: { model: "sandbox-image", input: { prompt: "x" } },
  });
  const parts = (async function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  })();
  const generationId = made.body.id as string;
  await storeOutput(host.hub, { generationId, accountId: owner.account, index: 0 }, { mediaType, content: parts });
  const [row] = await host.hub.db.query<{ id: string }>(
    "UPDATE file SET stored_at = $2 WHERE generation_id = $1 RETURNING id",
    [generationId, host.hub.now()],
  );
  return row!.id;
}

const drawPicture = () => makePng("#d9772b", { width: 400, height: 200 });

describe.each(hosts)("files on $name", (host) => {
  let owner: Customer;
  let path: string;
  let id: string;
  beforeAll(async () => {
    owner = await newCustomer(host.hub);
    id = await newFile(host, owner);
    path = `/api/v1/hub/files/${id}`;
  });
  // Next removes the length and frames its responses itself.
  const lengthOf = (bytes: number) => (host.name === "next" ? null : String(bytes));
  const get = (headers: Record<string, string> = {}, method = "GET") =>
    callApi(host, method, path, { key: owner.key, headers });

  test("the owner gets the content with the headers that a browser needs", async () => {
    const reply = await get();
    expect(reply.status).toBe(200);
    expect(reply.bytes.equals(content)).toBe(true);
    expect(reply.headers.get("content-length")).toBe(lengthOf(100_000));
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      etag,
      "content-type": "image/png",
      "content-disposition": 'inline; filename="sandbox-image-1.png"',
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
    });
  });

  test("HEAD returns the same headers and no content", async () => {
    const reply = await get({ range: "bytes=0-1" }, "HEAD");
    expect([reply.status, reply.bytes.length]).toEqual([200, 0]);
    expect(Object.fromEntries(reply.headers)).toMatchObject({ etag });
    expect(reply.headers.get("content-length")).toBe(lengthOf(100_000));
  });

  test.each([
    ["bytes=0-0", 0, 0],
    ["bytes=99990-", 99_990, 99_999],
    ["bytes=-5", 99_995, 99_999],
    ["bytes=65000-66000", 65_000, 66_000],
    ["bytes=5-999999", 5, 99_999],
  ])("responds to range %s with 206", async (range, start, end) => {
    const reply = await get({ range });
    expect([reply.status, reply.headers.get("content-range")]).toEqual([206, `bytes ${start}-${end}/100000`]);
    expect(reply.headers.get("content-length")).toBe(lengthOf(end - start + 1));
    expect(reply.bytes.equals(content.subarray(start, end + 1))).toBe(true);
  });

  test("responds to a range beyond the end with 416, and ignores a malformed one", async () => {
    const behind = await get({ range: "bytes=100000-" });
    expect(behind.body).toMatchObject({ status: 416, code: "range_not_satisfiable" });
    expect(behind.headers.get("content-range")).toBe("bytes */100000");
    for (const range of ["bytes=9-3", "bytes=0-1,5-6", "pages=1-2"]) expect((await get({ range })).status).toBe(200);
  });

  test("responds with 304 if the ETag matches, and applies a range only if If-Range matches", async () => {
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const reply = await get({ "if-none-match": tag });
      expect([reply.status, reply.bytes.length, reply.headers.get("etag")]).toEqual([304, 0, etag]);
    }
    expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
    expect((await get({ range: "bytes=0-1", "if-range": etag })).status).toBe(206);
    for (const other of ['"other"', `W/${etag}`, "Sat, 21 Nov 2026 08:00:00 GMT"]) {
      expect((await get({ range: "bytes=0-1", "if-range": other })).status).toBe(200);
    }
  });

  test("serves files other than images, audio and video as attachments", async () => {
    const other = await newFile(host, owner, "application/json", Buffer.from("{}"));
    const reply = await callApi(host, "GET", `/api/v1/hub/files/${other}`, { key: owner.key });
    expect(reply.headers.get("content-disposition")).toBe('attachment; filename="sandbox-image-1.json"');
  });

  test("a signed link opens one file until it expires, and no other file", async () => {
    const signed = (expires: number) => signLink(host.hub, id, new Date(expires)).slice(PUBLIC.length);
    const link = signed(Date.now() + 60_000);
    expect((await callApi(host, "GET", link)).bytes.equals(content)).toBe(true);
    const forged = [
      signed(Date.now() - 2_000),
      link.replace(/signature=.{4}/, "signature=AAAA"),
      ...alterEnd(link),
      link.replace(/expires=\d/, "expires=9"),
      link.replace(/expires=\d+/, "expires="),
      link.replace(/expires=\d+&/, ""),
      `${path}?signature=`,
      `${path}?expires=1&signature=%00`,
      `/api/v1/hub/files/${await newFile(host, owner)}?${link.split("?")[1]}`,
    ];
    for (const url of forged) expect((await callApi(host, "GET", url)).body.code, url).toBe("unauthorized");
    expect((await callApi(host, "GET", link, { key: "garbage" })).status).toBe(401);
    const elsewhere = await callApi(host, "GET", `/api/v1/me?${link.split("?")[1]}`);
    expect(elsewhere.status).toBe(401);
  });

  test("returns a thumbnail with the headers of its file, to the same callers", async () => {
    const picture = await newFile(host, owner, "image/png", await drawPicture());
    const thumbnail = `/api/v1/hub/files/${picture}?w=128`;
    const link = `${signLink(host.hub, picture, new Date(Date.now() + 60_000)).slice(PUBLIC.length)}&w=128`;
    const reply = await callApi(host, "GET", thumbnail, { key: owner.key, headers: { range: "bytes=0-1" } });
    expect(reply.status).toBe(200);
    expect(await sharp(reply.bytes).metadata()).toMatchObject({ format: "webp", width: 128, height: 64 });
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "image/webp",
      "content-disposition": "inline",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private",
      "x-content-type-options": "nosniff",
    });
    expect((await callApi(host, "GET", link)).bytes.equals(reply.bytes)).toBe(true);
    const head = await callApi(host, "HEAD", thumbnail, { key: owner.key });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers.get("content-length")).toBe(lengthOf(reply.bytes.length));

    const tag = reply.headers.get("etag")!;
    const again = await callApi(host, "GET", thumbnail, { key: owner.key, headers: { "if-none-match": tag } });
    expect([again.status, again.headers.get("etag")]).toEqual([304, tag]);
    const other = await callApi(host, "GET", thumbnail.replace("128", "512"), { key: owner.key });
    expect(other.headers.get("etag")).not.toBe(tag);

    const stranger = await newCustomer(host.hub);
    expect((await callApi(host, "GET", thumbnail, { key: stranger.key })).body.code).toBe("resource_not_found");
    for (const forged of [thumbnail, link.replace(/signature=.{4}/, "signature=AAAA"), `${thumbnail}&signature=`])
      expect((await callApi(host, "GET", forged)).body.code).toBe("unauthorized");
  });

  test("rejects another width and a file that is not an image with 400 about w", async () => {
    for (const query of ["w=", "w=129", "w=1e2", "w=128&w=512", "w=0128"]) {
      const reply = await callApi(host, "GET", `${path}?${query}`, { key: owner.key });
      expect(reply.body, query).toMatchObject({
        status: 400,
        code: "invalid_input",
        errors: { w: [expect.any(String)] },
      });
    }
    // The bytes of the file are random, so it is not an image.
    const reply = await callApi(host, "GET", `${path}?w=512`, { key: owner.key });
    expect(reply.body).toMatchObject({ status: 400, code: "invalid_input", errors: { w: [expect.any(String)] } });
  });

  test("responds with 410 for an expired file", async () => {
    const old = await newFile(host, owner);
    await host.hub.db.query("UPDATE file SET expires_at = $2 WHERE id = $1", [old, new Date(0)]);
    await host.hub.db.query(
      "UPDATE generation SET status = 'canceled', completed_at = created_at, settled_at = created_at WHERE id = (SELECT generation_id FROM file WHERE id = $1)",
      [old],
    );
    const reply = await callApi(host, "GET", `/api/v1/hub/files/${old}`, { key: owner.key });
    expect(reply.body).toMatchObject({ status: 410, code: "file_expired" });
  });
});

test("a slow reader slows down reading the content, and a disconnect closes it", async () => {
  const owner = await newCustomer(own.hub);
  const big = Buffer.alloc(32 * 1024 * 1024, 7);
  const id = await newFile(own, owner, "video/mp4", big);
  let read = 0;
  let closed = false;
  const { storage } = own.hub;
  own.hub.storage = {
    ...storage,
    async open(key, range) {
      const stream = await storage.open(key, range);
      stream?.on("data", (chunk: Buffer) => (read += chunk.length)).pause();
      stream?.once("close", () => (closed = true));
      return stream;
    },
  };
  await new Promise<void>((resolve, reject) => {
    const asking = httpRequest(
      `${own.url}/api/v1/hub/files/${id}`,
      { headers: { authorization: `Bearer ${owner.key}` } },
      (response) => {
        response.once("readable", () => {
          response.destroy();
          resolve();
        });
      },
    );
    asking.once("error", reject).end();
  });
  await expect.poll(() => closed).toBe(true);
  expect(read).toBeLessThan(big.length / 2);
});
