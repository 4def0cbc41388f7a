import { beforeEach, describe, expect, test } from "vitest";
import { findKeptChat } from "../../server/domain/generations/end/chat-replies";
import { eraseDueFor } from "../../server/domain/erasure";
import { limitAllResponses, limitResponses, parseResponseId, purgeResponses } from "../../server/domain/responses";
import { changeRetention } from "../../server/domain/retention";
import { storeResponse } from "../../server/domain/responses/stored-response";
import type { Customer } from "../api/customer";
import { MODEL_YAML } from "../chat/host";
import { completeWith } from "../chat/upstream";
import { deriveHub } from "../derive-hub";
import { ownerSession } from "../session";
import { soakCount } from "../soak";
import { checkStream, type Json, openResponsesHost, parseEvents } from "./open-responses";

const host = await openResponsesHost();
const { upstream, hub } = host;
let customer: Customer;
beforeEach(async () => {
  customer = await host.customer();
});

const HOUR_MS = 3_600_000;
const sentMessages = () => upstream.requests.at(-1)!.body.messages;
const ask = async (input: unknown, body: Json = {}) => (await host.respond(customer.key, { input, ...body })).body;
const answerWith = (message: Json, finish_reason = "stop") =>
  completeWith({ choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }] });

// First, because ids contain the time of the machine, from which the hub's clock moves away.
describe("a stored response of an account that keeps replies", () => {
  const DAY_MS = 24 * HOUR_MS;
  const count = async () =>
    (await hub.db.query("SELECT FROM response WHERE account_id = $1", [customer.account])).length;
  beforeEach(() => hub.db.query("UPDATE account SET reply_retention_days = 30 WHERE id = $1", [customer.account]));

  test("goes after the account's days for outputs, and so does its reply", async () => {
    const made = await ask("hello");
    await changeRetention(hub, customer.account, { output_days: 2 });
    const id = parseResponseId(String(made.id))!;
    const ctx = await ownerSession(hub, customer.account);
    const { created_at: createdAt } = (
      await hub.db.query<{ created_at: Date }>("SELECT created_at FROM generation WHERE id = $1", [id])
    )[0]!;
    expect((await findKeptChat(ctx, id))?.deleted_at).toEqual(new Date(createdAt.getTime() + 2 * DAY_MS));
    hub.clock.advance(47 * HOUR_MS);
    await eraseDueFor(hub, 0);
    expect(await count()).toBe(1);
    hub.clock.advance(2 * HOUR_MS);
    await eraseDueFor(hub, 0);
    expect(await count()).toBe(0);
    expect((await findKeptChat(ctx, id))?.choices).toBeNull();
  });

  test("goes after the days of the hub, also if these were lowered since", async () => {
    const made = await ask("hello");
    const lowered = deriveHub(hub, { env: { ...hub.env, RETENTION_REPLY_DAYS: 2 } });
    const ctx = await ownerSession(lowered, customer.account);
    const keptUntil = (await findKeptChat(ctx, parseResponseId(String(made.id))!))!.deleted_at!;
    expect(keptUntil.getTime() - hub.now().getTime()).toBeLessThanOrEqual(2 * DAY_MS);
    expect(await limitAllResponses(lowered)).toBe(1);
    expect(await limitAllResponses(lowered)).toBe(0);
    hub.clock.advance(47 * HOUR_MS);
    await purgeResponses(lowered, 1_000);
    expect(await count()).toBe(1);
    hub.clock.advance(2 * HOUR_MS);
    await purgeResponses(lowered, 1_000);
    expect(await count()).toBe(0);
    await storeResponse(ctx, { id: parseResponseId(String(made.id))!, previousId: null, input: [], answer: {} });
    expect(await limitAllResponses(lowered)).toBe(0);
    expect(await count()).toBe(1);
  });
});

describe("a stored response", () => {
  test("is read, lists its items, is streamed again and deleted; for other accounts it does not exist", async () => {
    const input = [
      { role: "user", content: "one" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "two" }] },
      { role: "user", content: "three" },
    ];
    const made = await ask(input);
    const path = `/${String(made.id)}`;
    expect((await host.request(customer.key, "GET", path)).body).toEqual(made);
    const list = async (query: string) => (await host.request(customer.key, "GET", `${path}/input_items${query}`)).body;
    const all = (await list("?order=asc")) as { data: Json[] };
    expect(all).toMatchObject({ object: "list", data: input, has_more: false });
    const ids = all.data.map(({ id }) => id);
    expect(await list("?limit=2")).toMatchObject({ first_id: ids[2], last_id: ids[1], has_more: true });
    expect(await list(`?after=${String(ids[1])}`)).toMatchObject({ data: [{ content: "one" }], has_more: false });
    const streamed = await fetch(`${host.url}/v1/responses${path}?stream=true`, {
      headers: { authorization: `Bearer ${customer.key}` },
    });
    expect(checkStream(parseEvents(await streamed.text()))).toEqual(made);

    const other = await host.customer();
    for (const [method, end] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/input_items"],
      ["POST", "/cancel"],
    ] as const)
      expect(await host.request(other.key, method, path + end)).toMatchObject({
        status: 404,
        body: { error: { type: "invalid_request_error" } },
      });
    expect((await host.request(customer.key, "POST", `${path}/cancel`)).status).toBe(400);
    expect((await host.request(customer.key, "DELETE", path)).body).toEqual({
      id: made.id,
      object: "response",
      deleted: true,
    });
    expect((await host.request(customer.key, "GET", path)).status).toBe(404);
    expect((await host.request(customer.key, "GET", `${path}/input_items`)).status).toBe(404);
  });

  test("names its generation wherever it is read, listed and deleted, and nowhere for other accounts", async () => {
    const made = await host.respond(customer.key, { input: "hello" });
    const id = made.headers.get("x-generation-id");
    expect(id).toBe(parseResponseId(String(made.body.id)));
    const other = await host.customer();
    for (const [method, end] of [
      ["GET", ""],
      ["GET", "/input_items"],
      ["POST", "/cancel"],
      ["DELETE", ""],
    ] as const) {
      const path = `/${String(made.body.id)}${end}`;
      expect((await host.request(other.key, method, path)).headers.get("x-generation-id")).toBeNull();
      expect((await host.request(customer.key, method, path)).headers.get("x-generation-id")).toBe(id);
    }
  });

  test("is read and listed by the SDK with several members of include", async () => {
    upstream.respondNext(answerWith({ content: "Yes", reasoning_content: "Hm" }));
    const { id } = await ask("hello");
    const include = ["message.input_image.image_url" as const, "reasoning.encrypted_content" as const];
    const { responses } = host.sdk(customer.key);
    const read = await responses.retrieve(String(id), { include });
    expect(read.output[0]).toMatchObject({ type: "reasoning", encrypted_content: expect.any(String) as string });
    const next = await ask(read.output);
    const { data } = await responses.inputItems.list(String(next.id), { include, order: "asc" });
    expect(data[0]).toMatchObject({ type: "reasoning", encrypted_content: expect.any(String) as string });
    const hidden = await responses.retrieve(String(id), { include: include.slice(0, 1) });
    expect(JSON.stringify(hidden.output)).not.toContain("encrypted_content");
  });

  test("expires an hour after its last use, or with the account's replies", async () => {
    const made = await ask("hello");
    const exists = async () => (await host.request(customer.key, "GET", `/${String(made.id)}`)).status === 200;
    hub.clock.advance(0.9 * HOUR_MS);
    await ask("go on", { previous_response_id: made.id });
    hub.clock.advance(0.9 * HOUR_MS);
    expect(await exists()).toBe(true);
    hub.clock.advance(0.2 * HOUR_MS);
    expect(await exists()).toBe(false);
    expect((await host.request(customer.key, "GET", `/${String(made.id)}/input_items`)).status).toBe(404);
    await purgeResponses(hub, 1_000);
    const count = "SELECT count(*)::int AS count FROM response WHERE account_id = $1";
    expect(await hub.db.query(count, [customer.account])).toEqual([{ count: 0 }]);

    await hub.db.query("UPDATE account SET reply_retention_days = 2 WHERE id = $1", [customer.account]);
    await ask("keep this");
    hub.clock.advance(47 * HOUR_MS);
    await purgeResponses(hub, 1_000);
    expect(await hub.db.query(count, [customer.account])).toEqual([{ count: 1 }]);
    await limitResponses(await ownerSession(hub, customer.account), 1);
    await purgeResponses(hub, 1_000);
    expect(await hub.db.query(count, [customer.account])).toEqual([{ count: 0 }]);
  });
});

describe("previous_response_id", () => {
  test("continues a long conversation, whose hold counts all of it; instructions are not carried over", async () => {
    const rounds = soakCount(8, 50);
    let previous: unknown;
    const ids: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const made = await ask(`question ${round} ${"x".repeat(100)}`, {
        previous_response_id: previous,
        ...(round === 0 && { instructions: "Only once." }),
      });
      expect(made.previous_response_id).toBe(previous ?? null);
      previous = made.id;
      ids.push(String(made.id));
    }
    expect(sentMessages()).toHaveLength(2 * rounds - 1);
    expect(JSON.stringify(sentMessages())).not.toContain("Only once.");
    const holds = await hub.db.query<{ held: string }>(
      "SELECT estimated_cost::text AS held FROM generation WHERE account_id = $1 ORDER BY id",
      [customer.account],
    );
    expect(Number(holds.at(-1)!.held) - Number(holds[0]!.held)).toBeGreaterThan(rounds * 100 * 1_000);
    await host.request(customer.key, "DELETE", `/${ids[Math.floor(rounds / 2)]!}`);
    const broken = await host.respond(customer.key, { input: "again", previous_response_id: previous });
    expect(broken).toMatchObject({
      status: 400,
      body: {
        error: { type: "invalid_request_error", code: "previous_response_not_found", param: "previous_response_id" },
      },
    });
    expect((await host.respond(customer.key, { input: "ok", previous_response_id: ids[1] })).status).toBe(200);
  });

  test("of another account, unknown or malformed is as missing", async () => {
    const made = await ask("hello");
    const other = await host.customer();
    const errors = await Promise.all(
      [made.id, `resp_${"0".repeat(32)}`, "resp_x", ""].map((id) =>
        host.respond(other.key, { input: "hi", previous_response_id: id }),
      ),
    );
    for (const { status, body } of errors)
      expect([status, (body.error as Json).code]).toEqual([400, "previous_response_not_found"]);
  });
});

describe("a repeat with the same idempotency key", () => {
  test.each([
    ["has expired", () => Promise.resolve(hub.clock.advance(2 * HOUR_MS))],
    ["was deleted", (id: unknown) => host.request(customer.key, "DELETE", `/${String(id)}`)],
  ])("is the same response, whole and streamed, once the previous response %s", async (_how, end) => {
    const first = await ask("hello");
    const body = { input: "go on", previous_response_id: first.id };
    const [whole, streamed] = [{ "idempotency-key": "whole" }, { "idempotency-key": "streamed" }];
    const made = await host.respond(customer.key, body, whole);
    const { events } = await host.stream(customer.key, body, streamed);
    await end(first.id);
    expect((await host.respond(customer.key, body)).status).toBe(400);
    const again = await host.respond(customer.key, body, whole);
    expect([again.status, again.body]).toEqual([200, made.body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("x-generation-id")).toBe(made.headers.get("x-generation-id"));
    const repeated = await host.stream(customer.key, body, streamed);
    expect(repeated.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(checkStream(repeated.events)).toEqual(checkStream(events));
    expect((await host.respond(customer.key, { ...body, input: "stop" }, whole)).status).toBe(409);
  });
});

describe("item_reference", () => {
  const tools = [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }];
  const toolCall = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };

  test("resolves reasoning and calls of the account, as the AI SDK refers to them by default", async () => {
    host.setModels(MODEL_YAML.replace("structured_output", "structured_output, reasoning"));
    upstream.respondNext(answerWith({ content: null, reasoning_content: "Hm.", tool_calls: [toolCall] }, "tool_calls"));
    const first = (await ask([{ role: "user", content: "look" }], { tools })) as { output: Json[] };
    expect(first.output).toMatchObject([{ type: "reasoning" }, { type: "function_call", call_id: "call_1" }]);
    expect(first.output[0]).not.toHaveProperty("encrypted_content");
    const input = [
      { role: "user", content: "look" },
      ...first.output.map(({ id }) => ({ type: "item_reference", id })),
      { type: "function_call_output", call_id: "call_1", output: "a lighthouse" },
    ];
    const second = await ask(input, { tools });
    expect(sentMessages()).toEqual([
      { role: "user", content: "look" },
      { role: "assistant", content: null, reasoning_content: "Hm.", tool_calls: [toolCall] },
      { role: "tool", tool_call_id: "call_1", content: "a lighthouse" },
    ]);
    const items = await host.request(customer.key, "GET", `/${String(second.id)}/input_items?order=asc`);
    expect(items.body.data).toMatchObject([
      { role: "user" },
      first.output[0],
      first.output[1],
      { output: "a lighthouse" },
    ]);
    const other = await host.customer();
    expect(await host.respond(other.key, { input, tools })).toMatchObject({
      status: 400,
      body: { error: { param: "input.1.id" } },
    });
  });

  test.each([{}, { type: null }])("resolves with %j for its type, which OpenAI's SDKs allow", async (type) => {
    const first = (await ask("hello")) as { output: Json[] };
    await ask([
      { id: first.output[0]!.id, ...type },
      { role: "user", content: "go on" },
    ]);
    expect(sentMessages()).toEqual([
      { role: "assistant", content: "You said: hello" },
      { role: "user", content: "go on" },
    ]);
    for (const [item, param] of [
      [{ id: "msg_0", ...type }, "input.0.id"],
      [{ id: "msg_0", content: "hello", ...type }, "input.0.role"],
    ] as const)
      expect(await host.respond(customer.key, { input: [item] })).toMatchObject({
        status: 400,
        body: { error: { param } },
      });
  });

  test("works through the unmodified SDK, with a streamed tool loop", async () => {
    const client = host.sdk(customer.key);
    upstream.respondNext(answerWith({ content: null, tool_calls: [toolCall] }, "tool_calls"));
    const stream = client.responses.stream({
      model: "talk",
      input: "look",
      tools: [{ type: "function", name: "look", parameters: {}, strict: false }],
    });
    const called = await stream.finalResponse();
    expect(called.output).toMatchObject([{ type: "function_call", name: "look", arguments: "{}" }]);
    const answered = await client.responses.create({
      model: "talk",
      previous_response_id: called.id,
      input: [{ type: "function_call_output", call_id: "call_1", output: "a lighthouse" }],
    });
    expect(answered.output_text).toContain("You said:");
    expect((await client.responses.retrieve(answered.id)).output_text).toBe(answered.output_text);
    const items = await client.responses.inputItems.list(answered.id);
    expect(items.data).toMatchObject([{ type: "function_call_output" }]);
    const tokens = await client.responses.inputTokens.count({ model: "talk", input: "look" });
    expect(tokens.input_tokens).toBeGreaterThan(1);
    await client.responses.delete(answered.id);
    await expect(client.responses.retrieve(answered.id)).rejects.toMatchObject({ status: 404 });
  });
});

test("`store: false` leaves nothing in the database; by default only ciphertext in the table of responses", async () => {
  const tables = await hub.db.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const find = async (text: string) => {
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await hub.db.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM "${name}" AS row WHERE row::text LIKE '%' || $1 || '%'
           OR row::text LIKE '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%'`,
        [text],
      );
      if (row!.count > 0) found.push(name);
    }
    return found;
  };
  await hub.db.query("UPDATE account SET reply_retention_days = 2 WHERE id = $1", [customer.account]);
  for (const stream of [false, true]) {
    const text = `canaryforgotten${String(stream)}`;
    if (stream) await host.stream(customer.key, { input: text, store: false });
    else await ask(text, { store: false });
    expect(await find(text)).toEqual([]);
  }
  await ask("canarystored");
  expect(await find("canarystored")).not.toContain("response");
  expect(await find("canarystored")).toContain("generation");
});
