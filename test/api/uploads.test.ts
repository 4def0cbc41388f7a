import { createHash, randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { rejectedSamples, samples } from "../files/samples";
import { callApi, type Reply } from "./call";
import { type Customer, newCustomer } from "./customer";
import { formEnd, formOf, formStart, formType } from "./form";
import { type Host, openHosts, openOwnHost } from "./hosts";
import { PUBLIC } from "./published";

const FILES = "/api/v1/hub/files";
const LIMIT = 52_428_800;
const hosts = await openHosts();
const [, png] = samples[0]!;

const upload = (host: Host, { key }: { key?: string }, content: Uint8Array, name?: string) =>
  callApi(host, "POST", FILES, { key, body: formOf(content, name), headers: { "content-type": formType } });

describe.each(hosts)("uploads on $name", (host) => {
  let owner: Customer;
  let otherCustomer: Customer;
  beforeAll(async () => {
    owner = await newCustomer(host.hub);
    otherCustomer = await newCustomer(host.hub);
  });
  const get = (path: string, key = owner.key) => callApi(host, "GET", path, { key });

  test("responds to an upload as the specification says, and serves the file", async () => {
    const reply = await upload(host, owner, png);
    expect(reply.status).toBe(201);
    const { id, expires_at } = reply.body as { id: string; expires_at: string };
    expect(reply.body).toEqual({
      id,
      name: "a.bin",
      url: `${PUBLIC}${FILES}/${id}`,
      size: png.length,
      media_type: "image/png",
      expires_at,
      sha256: createHash("sha256").update(png).digest("hex"),
    });
    expect(reply.headers.get("location")).toBe(`${FILES}/${id}`);
    expect(reply.headers.get("ratelimit-policy")).toMatch(/^"writes"/);
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 86_400_000)).toBeLessThan(60_000);
    const fetched = await get(`${FILES}/${id}`);
    expect([fetched.bytes.equals(png), fetched.headers.get("content-disposition")]).toEqual([
      true,
      'inline; filename="a.bin"',
    ]);
  });

  test("accepts a form as browsers send it", async () => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(png)], { type: "text/plain" }), 'a "quoted" näme.png');
    const response = await fetch(host.url + FILES, {
      method: "POST",
      headers: { authorization: `Bearer ${owner.key}` },
      body: form,
    });
    const body = (await response.json()) as Reply["body"];
    expect([response.status, body.media_type, body.name]).toEqual([201, "image/png", 'a "quoted" näme.png']);
  });

  test("accepts a file without a name", async () => {
    const start = formStart().toString().replace('; filename="a.bin"', "");
    const body = Buffer.concat([Buffer.from(start), png, formEnd]);
    const headers = { "content-type": formType };
    const reply = await callApi(host, "POST", FILES, { key: owner.key, body, headers });
    expect(reply).toMatchObject({ status: 201, body: { name: null, media_type: "image/png", size: png.length } });
  });

  test("OpenAI's client uploads a file with its required purpose", async () => {
    const client = new OpenAI({ baseURL: `${host.url}/api/v1/hub`, apiKey: owner.key, maxRetries: 0 });
    const file = new File([new Uint8Array(png)], "a.png");
    const { id } = await client.files.create({ file, purpose: "vision" });
    expect((await get(`${FILES}/${id}`)).bytes.equals(png)).toBe(true);
  });

  test("derives the type from the content", async () => {
    for (const [mediaType, content] of samples) {
      expect((await upload(host, owner, content)).body).toMatchObject({ media_type: mediaType });
    }
  });

  test("rejects unsupported files with 400 about the file, and leaves nothing", async () => {
    const count = () => host.hub.db.prisma.file.count({ where: { accountId: owner.account } });
    const before = await count();
    for (const [name, content, reason] of rejectedSamples) {
      const { status, body } = await upload(host, owner, content);
      expect({ status, ...body }, name).toMatchObject({ status: 400, code: "invalid_input" });
      expect((body.errors as { file: string[] }).file.join(), name).toMatch(reason);
    }
    const mistakes: [Uint8Array | string, string][] = [
      [formOf(png, "picture"), formType],
      [Buffer.concat([formOf(png).subarray(0, -4 - formEnd.length), Buffer.from("\r\n"), formOf(png)]), formType],
      [formOf(png).subarray(0, -formEnd.length), formType],
      [formOf(png), "multipart/form-data"],
      [formOf(png), "multipart/form-data; boundary=other"],
      ['{"file": "x"}', "application/json"],
      ["file=x", "application/x-www-form-urlencoded"],
    ];
    for (const [body, type] of mistakes) {
      const reply = await callApi(host, "POST", FILES, { key: owner.key, body, headers: { "content-type": type } });
      expect(reply.body, type).toMatchObject({ code: "invalid_input", errors: { file: [expect.any(String)] } });
    }
    const bare = await fetch(host.url + FILES, { method: "POST", headers: { authorization: `Bearer ${owner.key}` } });
    expect([bare.status, await count()]).toEqual([400, before]);
  });

  test("accepts exactly the limit and rejects one more byte with 413, with and without a declared length", async () => {
    const content = randomBytes(LIMIT);
    png.copy(content);
    const whole = await upload(host, owner, content);
    expect(whole.body).toMatchObject({ size: LIMIT, sha256: createHash("sha256").update(content).digest("hex") });
    const more = Buffer.concat([content, Buffer.alloc(1)]);
    const declared = await upload(host, owner, more);
    expect(declared.body).toMatchObject({ status: 413, code: "payload_too_large" });
    expect(declared.body.detail).toContain("52,428,800");
    const chunked = await send(host, owner, [formStart(), more, formEnd]);
    expect(JSON.parse(chunked.body)).toMatchObject({ status: 413, code: "payload_too_large" });
  });

  test("responds with 413 as soon as the limit is exceeded, even if the client sends nothing more", async () => {
    const { status } = await send(host, owner, [formStart(), png, Buffer.alloc(LIMIT)], { end: false });
    expect(status).toBe(413);
  });

  test("a client that reads only after sending everything still gets its 413", async () => {
    expect(await sendWithoutReading(host, owner, LIMIT + 1_000_000)).toMatch(
      /^HTTP\/1.1 413 [^]+"code":"payload_too_large"/,
    );
  });

  test("an aborted upload leaves neither row nor content", async () => {
    const account = await newCustomer(host.hub);
    const rows = () => host.hub.db.prisma.file.findMany({ where: { accountId: account.account } });
    const { asking, seen } = begin(host, account, [formStart(), png, Buffer.alloc(1_000_000)]);
    await expect.poll(async () => (await rows()).length).toBe(1);
    asking.destroy();
    await seen.catch(() => undefined);
    await expect.poll(async () => (await rows()).length).toBe(0);
  });

  test("lists only the account's own files", async () => {
    const mine = await upload(host, otherCustomer, png);
    const { status, body } = await get(`${FILES}?limit=1&kind=upload`, otherCustomer.key);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [{ ...mine.body, kind: "upload", generation_id: null }], next_cursor: null });
    expect((await get(`${FILES}?kind=output`, otherCustomer.key)).body).toEqual({ data: [], next_cursor: null });
    for (const query of ["limit=0", "limit=101", "limit=x", "kind=both", "cursor=x", "cursor="]) {
      expect((await get(`${FILES}?${query}`)).body, query).toMatchObject({ code: "invalid_input" });
    }
  });

  test("delete returns 204, then 404; other accounts and unknown ids get the same 404", async () => {
    const { id } = (await upload(host, owner, png)).body as { id: string };
    const remove = (which: string, key = owner.key) => callApi(host, "DELETE", `${FILES}/${which}`, { key });
    const rejection = ({ status, body }: Reply) => ({ status, ...body, instance: "" });
    const otherAccountsFile = rejection(await remove(id, otherCustomer.key));
    expect(otherAccountsFile).toMatchObject({ status: 404, code: "resource_not_found" });
    expect(rejection(await remove("no-id"))).toEqual(otherAccountsFile);
    expect(rejection(await remove(id.replace(/.$/, (last) => (last === "0" ? "1" : "0"))))).toEqual(otherAccountsFile);
    const done = await remove(id);
    expect([done.status, done.bytes.length]).toEqual([204, 0]);
    expect(rejection(await remove(id))).toEqual(otherAccountsFile);
    expect((await get(`${FILES}/${id}`)).body).toMatchObject({ status: 410, code: "file_expired" });
    expect(rejection(await get(`${FILES}/${id}`, otherCustomer.key))).toEqual(otherAccountsFile);
  });

  test("responds with 409 to deleting a file that a waiting generation uses", async () => {
    const { id, url } = (await upload(host, owner, png)).body as { id: string; url: string };
    const input = { prompt: "x", image_input: [url] };
    const made = await callApi(host, "POST", "/api/v1/hub/generations", {
      key: owner.key,
      body: { model: "sandbox-image", input },
    });
    expect(made.status).toBe(202);
    const reply = await callApi(host, "DELETE", `${FILES}/${id}`, { key: owner.key });
    expect(reply.body).toMatchObject({ status: 409, code: "file_in_use" });
  });

  test("rejects a request without a key before it has read the body", async () => {
    for (const key of [undefined, "service_sk_garbage"]) {
      expect((await upload(host, { key }, Buffer.alloc(3_000_000, "x"))).status).toBe(401);
    }
  });
});

/** Sends a chunked form with Node's client and resolves with the response as soon as it arrives. */
function begin(host: Host, { key }: Customer, pieces: Uint8Array[], end = false) {
  const asking = httpRequest(host.url + FILES, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": formType },
  });
  const seen = new Promise<{ status: number; body: string }>((resolve, reject) => {
    asking.once("error", reject).once("response", (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.once("end", () => resolve({ status: response.statusCode!, body }));
    });
  });
  for (const piece of pieces) asking.write(piece);
  if (end) asking.end();
  return { asking, seen };
}

async function send(host: Host, whoami: Customer, pieces: Uint8Array[], { end = true } = {}) {
  const { asking, seen } = begin(host, whoami, pieces, end);
  asking.on("error", () => undefined);
  const answer = await seen;
  asking.destroy();
  return answer;
}

/** Sends a form of this many bytes at a limited pace, and begins to read only then, as simple clients do. */
async function sendWithoutReading(host: Host, { key }: Customer, size: number): Promise<string> {
  const { hostname, port } = new URL(host.url);
  const socket = connect(Number(port), hostname).pause();
  const write = (bytes: Uint8Array | string) => new Promise<void>((resolve, reject) => socket.write(bytes, (issue) => (issue ? reject(issue) : resolve()))); // prettier-ignore
  const length = formStart().length + size + formEnd.length;
  await write(
    `POST ${FILES} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: ${formType}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`,
  );
  await write(formStart());
  const step = Buffer.alloc(1_000_000, "x");
  for (let sent = 0; sent < size; sent += step.length) {
    await write(step.subarray(0, size - sent));
    // The last bytes arrive a second after the limit was exceeded.
    if (sent > LIMIT - 2 * step.length) await new Promise((resolve) => setTimeout(resolve, 350));
  }
  await write(formEnd);
  let text = "";
  socket.resume().on("data", (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve, reject) => socket.once("close", resolve).once("error", reject));
  return text;
}

test.each(hosts)("a large body that is read completely is rejected like a small one on $name", async (host) => {
  const { key } = await newCustomer(host.hub);
  const input = { prompt: "x".repeat(200_000) };
  for (const path of ["/api/v1/hub/generations", "/api/v1/hub/chat/completions"]) {
    const reply = await callApi(host, "POST", path, { key, body: { model: "none", input, messages: [input] } });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    const chunks = Readable.from([Buffer.from('{"model":'), Buffer.from(`"${"x".repeat(200_000)}"`), Buffer.from("}")]);
    const init = { method: "POST", headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } };
    const response = await fetch(host.url + path, {
      ...init,
      body: Readable.toWeb(chunks),
      duplex: "half",
    } as RequestInit);
    expect([response.status, typeof (await response.json())]).toEqual([400, "object"]);
  }
});

test("applies a smaller configured limit and names it", async () => {
  const host = await openOwnHost({ UPLOAD_MAX_BYTES: "1000" });
  const owner = await newCustomer(host.hub);
  expect((await upload(host, owner, Buffer.alloc(1_000, "x"))).status).toBe(201);
  const reply = await upload(host, owner, Buffer.alloc(1_001, "x"));
  expect(reply.body).toMatchObject({ code: "payload_too_large", detail: "The file may have at most 1,000 bytes." });
});

test("the size of a file is checked before its type", async () => {
  const host = await openOwnHost({ UPLOAD_MAX_BYTES: "1000" });
  const owner = await newCustomer(host.hub);
  for (const content of [Buffer.alloc(1_001), Buffer.alloc(60_000), Buffer.from("<html>".padEnd(1_001))])
    expect((await upload(host, owner, content)).body).toMatchObject({ status: 413, code: "payload_too_large" });
  expect((await send(host, owner, [formStart(), Buffer.alloc(80_000), formEnd])).status).toBe(413);
  const stalled = await send(host, owner, [formStart(), Buffer.alloc(80_000)], { end: false });
  expect(stalled.status).toBe(413);
  expect((await upload(host, owner, Buffer.alloc(1_000))).body).toMatchObject({ code: "invalid_input" });
});
