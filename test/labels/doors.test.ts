import OpenAI from "openai";
import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openCharacterFixture } from "../characters/character-fixture";
import { newConsoleUser } from "../console/console-user";
import { connectClient } from "../mcp/clients";
import { CHAT, GENERATIONS, HEADERS, LABELED, messages, openLabelHost, painting } from "./label-host";

const { host, listLabels, postAs } = await openLabelHost();
const { hub, url } = host;

let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(hub);
});
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const readLabels = ({ key }: Pick<Customer, "key"> = customer) => listLabels(key);
const readNewest = async (of?: Pick<Customer, "key">) => (await readLabels(of))[0];
const post = (path: string, body: unknown, headers?: Record<string, string>, by = customer) =>
  postAs(by, path, body, headers);

describe("labels are stored, whatever path a request came by", () => {
  test("generations, by their body and by headers", async () => {
    const made = await callApi(host, "POST", GENERATIONS, { key: customer.key, body: { ...painting, ...LABELED } });
    expect(made.body).toMatchObject(LABELED);
    await callApi(host, "POST", GENERATIONS, { key: customer.key, body: painting, headers: HEADERS });
    expect(await readNewest()).toEqual(LABELED);
    const plain = await callApi(host, "POST", GENERATIONS, { key: customer.key, body: painting });
    expect(plain.body).toMatchObject({ metadata: {}, end_user: null });
  });

  test.each([
    ["safety_identifier", { safety_identifier: "ada", user: "eve" }],
    ["user", { user: "ada" }],
  ])("chats, with %s, on both paths, streamed or not", async (_name, end) => {
    const body = { model: "sandbox-text", messages, metadata: LABELED.metadata, ...end };
    const sends = [
      () => callApi(host, "POST", CHAT, { key: customer.key, body }),
      () => post("/v1/chat/completions", body),
      () => post("/v1/chat/completions", { ...body, stream: true }).then((reply) => reply.text()),
      () => post("/v1/completions", { model: "sandbox-text", prompt: "hello", metadata: body.metadata, ...end }),
    ];
    for (const send of sends) await send();
    expect(await readLabels()).toEqual(sends.map(() => LABELED));
  });

  test("Messages, whose metadata names the user", async () => {
    const client = new Anthropic({ baseURL: url, apiKey: customer.key, maxRetries: 0 });
    const metadata = { user_id: "ada", ...LABELED.metadata };
    await client.messages.create({ model: "sandbox-text", max_tokens: 50, messages, metadata });
    expect(await readNewest()).toEqual(LABELED);
  });

  test("Responses, by their own members", async () => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: customer.key, maxRetries: 0 });
    const { metadata } = LABELED;
    await client.responses.create({ model: "sandbox-text", input: "hello", metadata, safety_identifier: "ada" });
    expect(await readNewest()).toEqual(LABELED);
  });

  test("media of /v1, by headers and OpenAI's member `user`", async () => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: customer.key, maxRetries: 0 });
    await client.images.generate({ model: "sandbox-image", prompt: "a pier", user: "ada" });
    expect(await readNewest()).toEqual({ metadata: {}, end_user: "ada" });
    await client.images.generate({ model: "sandbox-image", prompt: "a pier" }, { headers: HEADERS });
    expect(await readNewest()).toEqual(LABELED);
    await client.embeddings.create({ model: "sandbox-embedding", input: "a pier", user: "eve" }, { headers: HEADERS });
    expect(await readNewest()).toEqual({ ...LABELED, end_user: "eve" });
    await client.videos.create({ model: "sandbox-video", prompt: "a pier" }, { headers: HEADERS });
    expect(await readNewest()).toEqual(LABELED);
  });

  test("tools of MCP, by their arguments and by headers", async () => {
    const client = await connectClient("v2", url, customer.key);
    const { isError, text } = await client.call("generate", { ...painting, ...LABELED, idempotency_key: "one" });
    expect(isError, text).toBe(false);
    expect(await readNewest()).toEqual(LABELED);
    const labeled = await connectClient("v1", url, customer.key, HEADERS);
    await labeled.call("generate", { ...painting, metadata: { run: "8" } });
    expect(await readNewest()).toEqual({ metadata: { team: "blue", run: "8" }, end_user: "ada" });
  });

  test("trainings, also resumed ones", async () => {
    const { customer: trainer, createDraft, start, cancel, resume } = await openCharacterFixture(host);
    const { id } = await createDraft();
    expect((await start(id, LABELED)).status).toBe(202);
    expect(await readNewest(trainer)).toEqual(LABELED);
    await cancel(id);
    expect((await resume(id)).status).toBe(202);
    expect(await readNewest(trainer)).toEqual(LABELED);
  });

  test("the console's playground, and generations that it runs again", async () => {
    const { console, key } = await newConsoleUser(hub);
    const idempotencyKey = "0123456789abcdef";
    const made = await console.playground.run({ idempotencyKey, ...painting, ...LABELED });
    expect(made).toMatchObject(LABELED);
    expect(await console.generations.runAgain({ id: made.id })).toMatchObject(LABELED);
    expect(await readLabels({ key })).toEqual([LABELED, LABELED]);
  });

  test("requests of Open WebUI", async () => {
    await post("/v1/chat/completions", { model: "sandbox-text", messages }, { "x-openwebui-user-id": "ada" });
    expect(await readNewest()).toEqual({ metadata: {}, end_user: "ada" });
  });
});

describe("labels and repeats", () => {
  test("headers are no part of a request's fingerprint, and a body's labels are", async () => {
    const send = (body: object, headers: Record<string, string>) =>
      callApi(host, "POST", CHAT, {
        key: customer.key,
        body: { model: "sandbox-text", messages, ...body },
        headers: { "idempotency-key": "one", ...headers },
      });
    const first = await send({}, HEADERS);
    const second = await send({}, { "x-hub-metadata": "team=red" });
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.body.id).toBe(first.body.id);
    expect(await readNewest()).toEqual(LABELED);
    expect((await send({ metadata: LABELED.metadata }, {})).status).toBe(409);
  });
});

test("events have the labels of their generation", async () => {
  const readEvents = async (query = "") =>
    (await callApi(host, "GET", `/api/v1/hub/events${query}`, { key: customer.key })).body.data as { data: object }[];
  // Events are recorded from the first call on.
  await readEvents("?after=latest");
  for (const [path, request] of [
    [GENERATIONS, { ...painting, ...LABELED }],
    ["/v1/chat/completions", { model: "sandbox-text", messages, metadata: LABELED.metadata, user: LABELED.end_user }],
  ] as const)
    expect((await post(path, request)).status).toBeLessThan(300);
  await expect.poll(async () => (await readEvents()).length).toBe(4);
  for (const { data } of await readEvents()) expect(data).toMatchObject(LABELED);
});
