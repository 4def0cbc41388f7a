import { beforeEach, describe, expect, test } from "vitest";
import { createKey } from "../../server/domain/keys/create";
import { soakCount } from "../soak";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { sessionHeaders } from "../session";
import { CHAT, GENERATIONS, HEADERS, LABELED, messages, openLabelHost, painting } from "./label-host";

const { host, listLabels, postAs } = await openLabelHost();
const { hub } = host;

let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(hub);
});
const readLabels = ({ key }: Pick<Customer, "key"> = customer) => listLabels(key);
const readNewest = async (of?: Pick<Customer, "key">) => (await readLabels(of))[0];
const post = (path: string, body: unknown, headers?: Record<string, string>, by = customer) =>
  postAs(by, path, body, headers);

const long = (length: number) => "x".repeat(length);
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, "v"]));

describe("what does not fit", () => {
  test.each<[string, object, string]>([
    ["metadata that is no object", { metadata: ["team"] }, "metadata"],
    ["17 pairs", { metadata: pairs(17) }, "metadata"],
    ["a key with a space", { metadata: { "my team": "blue" } }, "metadata.my team"],
    ["an empty key", { metadata: { "": "blue" } }, "metadata."],
    ["a long key", { metadata: { [long(65)]: "blue" } }, `metadata.${long(65)}`],
    ["a number", { metadata: { run: 7 } }, "metadata.run"],
    ["a long value", { metadata: { run: long(513) } }, "metadata.run"],
    ["an empty end user", { end_user: "" }, "end_user"],
    ["a long end user", { end_user: long(256) }, "end_user"],
    ["an end user that is no text", { end_user: 7 }, "end_user"],
  ])("%s is 400 for a generation and is named", async (_name, labels, place) => {
    const reply = await callApi(host, "POST", GENERATIONS, { key: customer.key, body: { ...painting, ...labels } });
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.errors as object)).toEqual([place]);
  });

  test("the largest metadata and end user are stored, whatever their characters", async () => {
    const keys = Array.from({ length: 16 }, (_, n) => `${long(62)}${n + 10}`);
    const metadata = Object.fromEntries(keys.map((key) => [key, "東".repeat(512)]));
    const labels = { metadata, end_user: "東".repeat(255) };
    const reply = await callApi(host, "POST", GENERATIONS, { key: customer.key, body: { ...painting, ...labels } });
    expect(reply.body).toMatchObject(labels);
  });

  test("is not recorded elsewhere, and the rest is", async () => {
    const metadata = { "my team": "blue", run: 7, long: long(513), kept: "yes", ...pairs(20) };
    const reply = await post("/v1/chat/completions", { model: "sandbox-text", messages, metadata, user: long(256) });
    expect(reply.status).toBe(200);
    expect(await readNewest()).toEqual({ metadata: { kept: "yes", ...pairs(15) }, end_user: null });
  });

  test.each([
    ["x-hub-metadata", "team"],
    ["x-hub-metadata", "=blue"],
    ["x-hub-metadata", "my team=blue"],
    ["x-hub-metadata", `run=${long(513)}`],
    ["x-hub-metadata", Object.keys(pairs(17)).join("=1,")],
    ["x-hub-metadata", `${",".repeat(2000)}=`],
    ["x-hub-end-user", long(256)],
    ["x-hub-end-user", ""],
  ])("a header %s: %s is 400 for a generation, and ignored elsewhere", async (name, value) => {
    const headers = { [name]: value };
    const reply = await callApi(host, "POST", GENERATIONS, { key: customer.key, body: painting, headers });
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.errors as object)[0]!.toLowerCase()).toContain(name);
    expect((await post("/v1/chat/completions", { model: "sandbox-text", messages }, headers)).status).toBe(200);
  });

  test("a random header never causes a 500, nor metadata that cannot be read back", async () => {
    const alphabet = "ab1=,; \t\"'\\%{}[]:\xe9\xff\x80\xc3\xa9__proto__";
    for (let n = 0; n < soakCount(8, 1_000); n += 1) {
      const random = () =>
        Array.from({ length: 1 + Math.floor(Math.random() * 60) }, () =>
          alphabet.charAt(Math.floor(Math.random() * alphabet.length)),
        ).join("");
      const headers = { "x-hub-metadata": random(), "x-hub-end-user": random(), "x-openwebui-user-id": random() };
      for (const [path, body] of [
        [GENERATIONS, painting],
        ["/v1/chat/completions", { model: "sandbox-text", messages }],
      ] as const)
        expect([200, 202, 400], JSON.stringify(headers)).toContain((await post(path, body, headers)).status);
    }
    expect((await callApi(host, "GET", `${GENERATIONS}?limit=100`, { key: customer.key })).status).toBe(200);
  });

  test("names of the prototype are keys like any other", async () => {
    const header = "__proto__=a, constructor=b, toString=c, hasOwnProperty=d";
    const headers = { "x-hub-metadata": header };
    const reply = await callApi(host, "POST", GENERATIONS, { key: customer.key, body: painting, headers });
    expect(reply.status).toBe(202);
    expect(Object.entries(reply.body.metadata as object).toSorted()).toEqual(
      [["__proto__", "a"], ["constructor", "b"], ["hasOwnProperty", "d"], ["toString", "c"]], // prettier-ignore
    );
    for (const [filter, count] of [
      ["metadata.__proto__=a", 1],
      ["metadata.__proto__=b", 0],
      ["metadata.constructor=b&metadata[toString]=c", 1],
    ] as const) {
      const { body } = await callApi(host, "GET", `${GENERATIONS}?${filter}`, { key: customer.key });
      expect(body.data, filter).toHaveLength(count);
    }
  });

  test.each([
    ["metadata.team=a&metadata[team]=b", "metadata[team]"],
    ["metadata.a=1&metadata.b=1&metadata.c=1&metadata.d=1", "metadata"],
    ["metadata=team", "metadata"],
    ["metadata.my%20team=a", "metadata.my team"],
    ["metadata.=a", "metadata."],
    [`metadata.team=${long(513)}`, "metadata.team"],
    ["metadata.team=%00", "metadata.team"],
    ["end_user=", "end_user"],
    ["end_user=%00", "end_user"],
  ])("a filter %s is 400", async (filter, place) => {
    const reply = await callApi(host, "GET", `${GENERATIONS}?${filter}`, { key: customer.key });
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.errors as object)).toEqual([place]);
  });

  test("texts of headers are UTF-8", async () => {
    const utf8 = (text: string) => Buffer.from(text).toString("latin1");
    const headers = { "x-hub-metadata": utf8("ort=Malmö, 店=東京, city=東京"), "x-hub-end-user": utf8("Åsa") };
    await post("/v1/chat/completions", { model: "sandbox-text", messages }, headers);
    expect(await readNewest()).toEqual({ metadata: { ort: "Malmö", city: "東京" }, end_user: "Åsa" });
  });
});

describe("keys", () => {
  const newKey = (members: object) => createKey(hub, customer.account, { name: "fixed", ...members });

  test("give all of their generations fixed pairs, which no request overrides", async () => {
    const { key } = await newKey({ metadata: { team: "green", ["__proto__x"]: "y" } });
    const reply = await callApi(host, "POST", GENERATIONS, { key, body: { ...painting, ...LABELED } });
    expect(reply.body.metadata).toEqual({ team: "green", __proto__x: "y", run: "7" });
    await post("/v1/chat/completions", { model: "sandbox-text", messages }, HEADERS, { ...customer, key });
    expect(await readNewest()).toMatchObject({ metadata: { team: "green", run: "7" } });
  });

  test("count with the pairs of the body and the headers", async () => {
    const { key } = await newKey({ metadata: pairs(10) });
    const send = (metadata: object, headers = {}) =>
      callApi(host, "POST", GENERATIONS, { key, body: { ...painting, metadata }, headers });
    const others = { a: "1", b: "2", c: "3", d: "4", e: "5" };
    expect((await send({ ...others, ...pairs(10) })).status).toBe(202);
    expect((await send(others, { "x-hub-metadata": "f=6" })).status).toBe(202);
    expect((await send(others, { "x-hub-metadata": "f=6, g=7" })).status).toBe(400);
  });

  test("are created and changed with labels, from the next request on, and what is not sent stays", async () => {
    const headers = await sessionHeaders(hub, customer.account);
    const send = async (method: string, path: string, body: object) =>
      (await callApi(host, method, `/api/v1/hub/keys${path}`, { body, headers })).body;
    const metadata = { team: "green" };
    const made = await send("POST", "", { name: "labeled", metadata, require_end_user: true });
    expect(made).toMatchObject({ metadata, require_end_user: true });
    const create = async () =>
      (await callApi(host, "POST", GENERATIONS, { key: made.key as string, body: painting })).body;
    expect(await create()).toMatchObject({ status: 400 });
    const change = (body: object) => send("PATCH", `/${String(made.id)}`, body);
    expect(await change({ require_end_user: false })).toMatchObject({ metadata, require_end_user: false });
    expect(await create()).toMatchObject({ metadata });
    expect(await change({ metadata: { app: "a" }, spend_limit: 5 })).toMatchObject({ metadata: { app: "a" } });
    expect(await create()).toMatchObject({ metadata: { app: "a" } });
    for (const none of [null, {}]) {
      expect(await change({ metadata: none })).toMatchObject({ metadata: null, require_end_user: false });
      expect(await create()).toMatchObject({ metadata: {} });
      await change({ metadata });
    }
    expect(await change({ metadata: { "my team": "blue" } })).toMatchObject({ status: 400 });
    expect(await send("POST", "", { name: "labeled", metadata: pairs(17) })).toMatchObject({ status: 400 });
  });

  test("can require an end user on every path", async () => {
    const { key, record } = await newKey({ require_end_user: true });
    const own = { ...customer, key };
    const requests: [string, object][] = [
      [GENERATIONS, painting],
      [CHAT, { model: "sandbox-text", messages }],
      ["/v1/chat/completions", { model: "sandbox-text", messages }],
      ["/v1/chat/completions", { model: "sandbox-text", messages, stream: true }],
      ["/v1/responses", { model: "sandbox-text", input: "hello" }],
      ["/v1/messages", { model: "sandbox-text", max_tokens: 50, messages }],
      ["/v1/images/generations", { model: "sandbox-image", prompt: "a pier" }],
      ["/v1/videos", { model: "sandbox-video", prompt: "a pier" }],
      ["/v1/embeddings", { model: "sandbox-embedding", input: "a pier" }],
    ];
    for (const [path, body] of requests) {
      const reply = await post(path, body, {}, own);
      expect(reply.status, path).toBe(400);
      expect(await reply.text(), path).toContain("X-Hub-End-User");
      expect((await post(path, body, { "x-hub-end-user": "ada" }, own)).status, path).toBeLessThan(300);
    }
    const unnamed = "SELECT FROM generation WHERE key_id = $1 AND end_user IS DISTINCT FROM 'ada'";
    expect(await hub.db.query(unnamed, [record.id])).toEqual([]);
  });
});
