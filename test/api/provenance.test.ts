import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { storeOutput } from "../../server/domain/files/store-output";
import { newId } from "../../server/lib/id";
import { piecesOf } from "../media/mark";
import { makePng } from "../media/png";
import { callApi } from "./call";
import { type Customer, newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const host = await openOwnHost({ UPLOAD_MAX_BYTES: "100000" });
const { hub } = host;
const picture = await makePng("teal");
const owner = await newCustomer(hub);
const PATH = "/api/v1/hub/files";

/** Creates a finished output of the customer, without a run. */
async function newOutput({ key, account }: Customer, mediaType = "image/png", content = picture): Promise<string> {
  const body = { model: "sandbox-image", input: { prompt: "x" } };
  const generationId = (await callApi(host, "POST", "/api/v1/hub/generations", { key, body })).body.id as string;
  await storeOutput(hub, { generationId, accountId: account, index: 0 }, { mediaType, content: piecesOf(content) });
  const [row] = await hub.db.query<{ id: string }>(
    "UPDATE file SET stored_at = $2 WHERE generation_id = $1 RETURNING id",
    [generationId, hub.now()],
  );
  return row!.id;
}

const get = (id: string, key = owner.key) => callApi(host, "GET", `${PATH}/${id}/provenance`, { key });
const identify = (content: Buffer, key = owner.key) =>
  callApi(host, "POST", `${PATH}/identify`, {
    key,
    headers: { "content-type": "application/octet-stream" },
    body: content,
  });
const identifyHash = (sha256: string, key = owner.key) =>
  callApi(host, "POST", `${PATH}/identify?sha256=${sha256}`, { key });

test("says what made an output, and what its mark says", async () => {
  const id = await newOutput(owner);
  const { bytes } = await callApi(host, "GET", `${PATH}/${id}`, { key: owner.key });
  const { status, body } = await get(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    size: bytes.length,
    kind: "output",
    model: "sandbox-image",
    generator: "Generation Hub",
    digital_source_type: "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
    mark: "xmp",
    available: true,
  });
  expect(bytes.includes(String(body.digital_source_type))).toBe(true);
  const list = await callApi(host, "GET", PATH, { key: owner.key });
  expect(list.body.data).toMatchObject([{ id, mark: "xmp" }]);
});

test("says that a format has no place for a mark", async () => {
  const id = await newOutput(owner, "image/gif", Buffer.from("GIF89a…"));
  expect((await get(id)).body).toMatchObject({
    mark: "unsupported_format",
    description: "Not marked: this format has no place for a mark.",
  });
});

test("identifies a copy by its content and by its hash, also after the file is gone", async () => {
  const customer = await newCustomer(hub);
  const id = await newOutput(customer);
  const { bytes } = await callApi(host, "GET", `${PATH}/${id}`, { key: customer.key });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const found = { status: 200, body: { sha256, data: [{ id, available: true, model: "sandbox-image" }] } };
  expect(await identify(bytes, customer.key)).toMatchObject(found);
  expect(await identifyHash(sha256.toUpperCase(), customer.key)).toMatchObject(found);

  await hub.db.query("UPDATE file SET removed_at = $2 WHERE id = $1", [id, hub.now()]);
  expect((await identifyHash(sha256, customer.key)).body.data).toMatchObject([{ id, available: false }]);
  expect((await get(id, customer.key)).body).toMatchObject({ id, available: false });
});

test("finds no file of another account, and none that differs by a byte", async () => {
  const id = await newOutput(owner);
  const { bytes } = await callApi(host, "GET", `${PATH}/${id}`, { key: owner.key });
  const { key } = await newCustomer(hub);
  expect((await identify(bytes, key)).body.data).toEqual([]);
  expect((await get(id, key)).status).toBe(404);
  expect((await identify(Buffer.concat([bytes, Buffer.from(" ")]))).body.data).toEqual([]);
  expect((await get(newId())).status).toBe(404);
});

test("says of an upload that the hub does not know what made it", async () => {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(picture)]), "mine.png");
  const upload = await fetch(`${host.url}${PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner.key}` },
    body: form,
  });
  const { id } = (await upload.json()) as { id: string };
  expect((await identify(picture)).body.data).toMatchObject([
    { id, kind: "upload", model: null, mark: null, digital_source_type: null },
  ]);
});

test("lists at most 20 files of one hash, the newest first", async () => {
  const customer = await newCustomer(hub);
  const ids: string[] = [];
  for (let n = 0; n < 21; n += 1) ids.unshift(await newOutput(customer));
  const { body } = await get(ids[0]!, customer.key);
  const { data } = (await identifyHash(String(body.sha256), customer.key)).body as { data: { id: string }[] };
  expect(data.map((file) => file.id)).toEqual(ids.slice(0, 20));
});

test("rejects an empty body, one that is too large, and a malformed hash", async () => {
  expect(await identify(Buffer.alloc(0))).toMatchObject({
    status: 400,
    body: { errors: { body: [expect.stringMatching(/empty/)] } },
  });
  expect((await identify(Buffer.alloc(100_001))).status).toBe(413);
  expect((await identifyHash("abc")).body).toMatchObject({ status: 400, errors: { sha256: [expect.any(String)] } });
});

const chats: [path: string, body: object][] = [
  ["/api/v1/hub/chat/completions", { messages: [{ role: "user", content: "hi" }] }],
  ["/v1/chat/completions", { messages: [{ role: "user", content: "hi" }] }],
  ["/v1/chat/completions", { messages: [{ role: "user", content: "hi" }], stream: true }],
  ["/v1/completions", { prompt: "hi" }],
  ["/v1/responses", { input: "hi" }],
  ["/v1/messages", { messages: [{ role: "user", content: "hi" }], max_tokens: 9 }],
];

test.each(chats)("%s says that a model wrote the text", async (path, body) => {
  const reply = await callApi(host, "POST", path, { key: owner.key, body: { model: "sandbox-text", ...body } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("x-hub-generated")).toBe("model");
});
