import { beforeAll, describe, expect, test } from "vitest";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { streamWords } from "../openai/stream-upstream";
import { CHAT, openChatHost, userMessages } from "./host";
import { errorBody, respondWith } from "./upstream";

const host = await openChatHost();
let customer: Customer;
beforeAll(async () => {
  customer = await newCustomer(host.hub);
});
const chat = (body: Record<string, unknown>, headers?: Record<string, string>) =>
  host.chat(customer.key, body, { headers });
const generation = async (id: unknown, what = "") =>
  (await callApi(host, "GET", `/api/v1/hub/generations/${String(id)}${what}`, { key: customer.key })).body;
const errorOf = (body: Record<string, unknown>) =>
  body.error as { code: string; message: string; metadata: Record<string, unknown> };

describe("a chat", () => {
  test("has the response of the specification, is charged by usage, and is recorded under the same id", async () => {
    const { status, body, headers } = await chat({
      messages: userMessages("hello"),
      temperature: 0.5,
      vendor: { a: [1] },
    });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("ratelimit")).toMatch(/^"writes"/);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      object: "chat.completion",
      created: expect.any(Number) as number,
      model: "talk",
      system_fingerprint: "fp_1",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "You said: hello", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: 1,
        completion_tokens: 7,
        total_tokens: 8,
        prompt_tokens_details: { cached_tokens: 1 },
        cost: 0.000015,
      },
    });
    expect(Math.abs(Number(body.created) - Date.now() / 1000)).toBeLessThan(60);
    expect(await generation(body.id)).toMatchObject({
      id: body.id,
      model: "talk",
      is_llm: true,
      status: "succeeded",
      input: { messages: userMessages("hello"), temperature: 0.5, vendor: { a: [1] } },
      billed_cost: 0.000015,
      outputs: [],
      error: null,
      progress: 1,
      provider: "openai",
    });
    expect(await generation(body.id, "/attempts")).toEqual({
      data: [
        {
          id: expect.any(String) as string,
          route: "up:gpt-up",
          provider: "openai",
          started_at: expect.any(String) as string,
          ended_at: expect.any(String) as string,
          outcome: "succeeded",
          upstream_status: 200,
          cost: 0.000015,
          reason: "order",
        },
      ],
    });
  });

  test("that is streamed says in its attempt after how long its first token came", async () => {
    host.upstream.respondNext(streamWords(["Hi", " there"]));
    const body = { model: "talk", messages: userMessages("hello"), stream: true };
    const { bytes } = await callApi(host, "POST", "/v1/chat/completions", { key: customer.key, body });
    const [, id] = /"id":"[a-z-]*([0-9a-f-]{36})"/.exec(bytes.toString())!;
    await expect.poll(async () => (await generation(id)).status).toBe("succeeded");
    const { data } = (await generation(id, "/attempts")) as { data: { first_token_ms?: number }[] };
    expect(data).toMatchObject([{ first_token_ms: expect.any(Number) as number }]);
  });

  test("is forwarded whole, with the upstream model name and the provider's key, and no credential of the hub", async () => {
    const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
    const { body } = await chat({
      messages: userMessages("x"),
      tools,
      seed: 7,
      user: "u",
      stream: false,
      max_tokens: 12,
    });
    const { body: sent, headers, path } = host.upstream.requests.at(-1)!;
    expect(path).toBe("/v1/chat/completions");
    expect(sent).toEqual({
      model: "gpt-up",
      messages: userMessages("x"),
      tools,
      seed: 7,
      user: "u",
      stream: false,
      max_tokens: 12,
    });
    expect(headers.authorization).toBe("Bearer sk-upstream-0123456789abcdef");
    expect(headers["idempotency-key"]).toBe(body.id);
    expect(JSON.stringify(headers)).not.toContain(customer.key);
  });

  test("is excluded from listings with exclude_llm", async () => {
    const list = async (query: string) =>
      (await callApi(host, "GET", `/api/v1/hub/generations?limit=100${query}`, { key: customer.key })).body;
    const all = await list("");
    expect((all.data as { is_llm: boolean }[]).filter(({ is_llm }) => is_llm).length).toBeGreaterThanOrEqual(2);
    expect(all.total_billed).toBeGreaterThan(0);
    expect(await list("&exclude_llm=true")).toMatchObject({ data: [], total_billed: 0 });
  });

  test("may have a body of 20 MiB, which does not slow down listings", async () => {
    const long = "word ".repeat(700_000);
    const { body, status } = await chat({ messages: [{ role: "system", content: long }, ...userMessages("x")] });
    expect(status).toBe(200);
    expect(host.upstream.requests.at(-1)!.body.messages[0]!.content).toBe(long);
    const record = await generation(body.id);
    expect(JSON.stringify(record.input).length).toBeLessThan(2_000);
    expect(JSON.stringify(record.input)).toContain("[3500000 characters, sha256 ");
    const tooLong = await chat({ messages: userMessages("x".repeat(21 * 1024 * 1024)) });
    expect([tooLong.status, errorOf(tooLong.body).code]).toEqual([413, "payload_too_large"]);
  });

  test("with \\u0000 in its response is returned and replayed", async () => {
    host.upstream.respondNext(
      respondWith(
        200,
        '{"choices":[{"message":{"content":"a\\u0000\\ud800b"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}',
      ),
    );
    const headers = { "idempotency-key": "nul" };
    const first = await chat({ messages: userMessages("nul") }, headers);
    expect(first.body.choices).toEqual([
      { index: 0, message: { role: "assistant", content: "a\0\ud800b" }, finish_reason: "stop" },
    ]);
    const again = await chat({ messages: userMessages("nul") }, headers);
    expect(again.bytes.equals(first.bytes)).toBe(true);
  });
});

describe("a chat is rejected", () => {
  const count = async () =>
    (await callApi(host, "GET", "/api/v1/hub/generations?limit=100", { key: customer.key })).body.data;

  test.each<[string, Record<string, unknown>, string]>([
    ["no messages", {}, "messages"],
    ["messages that are none", { messages: [] }, "messages"],
    ["messages that are no list", { messages: "hi" }, "messages"],
    ["a message that is no object", { messages: ["hi"] }, "messages.0"],
    ["a message without role", { messages: [{ content: "hi" }] }, "messages.0.role"],
    ["content that is a number", { messages: userMessages(7) }, "messages.0.content"],
    ["a part without type", { messages: userMessages([{ text: "hi" }]) }, "messages.0.content.0.type"],
    ["a part that is null", { messages: userMessages([null]) }, "messages.0.content.0"],
    ["stream", { messages: userMessages("hi"), stream: true }, "stream"],
    ["stream as a word", { messages: userMessages("hi"), stream: "yes" }, "stream"],
    ["n", { messages: userMessages("hi"), n: 1 }, "n"],
    ["max_tokens 0", { messages: userMessages("hi"), max_tokens: 0 }, "max_tokens"],
    ["max_tokens that is broken", { messages: userMessages("hi"), max_tokens: 1.5 }, "max_tokens"],
    [
      "max_completion_tokens as a word",
      { messages: userMessages("hi"), max_completion_tokens: "9" },
      "max_completion_tokens",
    ],
    [
      "an image in a file of the machine",
      { messages: userMessages([{ type: "image_url", image_url: { url: "file:///etc/passwd" } }]) },
      "messages.0.content.0.image_url",
    ],
    ["an image without address", { messages: userMessages([{ type: "image_url" }]) }, "messages.0.content.0.image_url"],
    ["a media model", { model: "sandbox-image", messages: userMessages("hi") }, "model"],
    ["no model", { model: undefined, messages: userMessages("hi") }, "model"],
  ])("for %s, with 400 and the location, before anything is held", async (_case, body, location) => {
    const before = await count();
    const requestCount = host.upstream.requests.length;
    const { status, body: answer } = await chat(body);
    expect([status, errorOf(answer).code]).toEqual([400, "invalid_input"]);
    expect(Object.keys(errorOf(answer).metadata.errors as object)).toContain(location);
    expect(errorOf(answer).message).toContain(location);
    expect(await count()).toEqual(before);
    expect(host.upstream.requests.length).toBe(requestCount);
  });

  test("for an unknown model with 404, before its body is checked", async () => {
    const { status, body } = await chat({ model: "nobody", messages: "none", stream: true });
    expect([status, errorOf(body).code]).toEqual([404, "model_not_found"]);
  });

  test("without a key with a 401 that OpenAI's clients understand", async () => {
    const reply = await callApi(host, "POST", CHAT, { body: {} });
    expect(reply.body).toMatchObject({
      status: 401,
      code: "unauthorized",
      error: { message: expect.any(String) as string, code: "unauthorized", type: "authentication_error" },
    });
  });

  test("with 405 for another method, in the API's error format", async () => {
    const { status, body } = await callApi(host, "GET", CHAT);
    expect([status, errorOf(body).code]).toEqual([405, "method_not_allowed"]);
  });

  test("for parameters that no route of its model supports", async () => {
    host.setModels(`
  - id: strict
    llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 10 }
    parameters_schema: { type: object, properties: { effort: { enum: [low, high] } }, additionalProperties: true }
    routes: [{ provider: up, upstream_model: a, refuse: [web_search_options], accepts: { effort: [low] } }]
  - id: partly
    llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 10 }
    routes: [{ provider: up, upstream_model: a, refuse: [plugins] }, { provider: up, upstream_model: b }]
  - id: nobodys
    llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 10 }
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: gpt-up }]
`);
    const rejected = async (body: Record<string, unknown>) => {
      const reply = await chat({ messages: userMessages("x"), ...body });
      return [
        reply.status,
        errorOf(reply.body).code,
        Object.keys((errorOf(reply.body).metadata.errors as object) ?? {}),
      ];
    };
    expect(await rejected({ model: "strict", web_search_options: {} })).toEqual([
      400,
      "invalid_input",
      ["web_search_options"],
    ]);
    expect(await rejected({ model: "strict", effort: "high" })).toEqual([400, "invalid_input", ["effort"]]);
    expect(await rejected({ model: "strict", effort: "huge" })).toEqual([400, "invalid_input", ["effort"]]);
    expect(await rejected({ model: "nobodys" })).toEqual([503, "provider_error", []]);
    expect(
      await rejected({
        model: "talk",
        messages: userMessages([{ type: "image_url", image_url: { url: "https://x.example/a.png" } }]),
      }),
    ).toEqual([400, "invalid_input", ["messages.0.content.0.image_url"]]);
    expect(
      await rejected({
        model: "strict",
        messages: userMessages([{ type: "video_url", video_url: { url: "https://x.example/a.mp4" } }]),
      }),
    ).toEqual([400, "invalid_input", ["messages.0.content.0"]]);
    expect((await chat({ model: "strict", messages: userMessages("x"), effort: "low" })).status).toBe(200);
    expect((await chat({ model: "partly", messages: userMessages("x"), plugins: [] })).status).toBe(200);
    expect(host.upstream.requests.at(-1)!.body.model).toBe("b");
  });

  test("by the provider with its 4xx status, named as the provider's", async () => {
    host.setModels(`
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    supports: [vision]
    routes: [{ provider: up, upstream_model: gpt-up }]
`);
    for (const status of [400, 401, 402, 403, 404, 408, 409, 410, 413, 418, 422, 429, 451]) {
      host.upstream.respondNext(
        respondWith(status, errorBody("no, said sk-upstream-0123456789abcdef at http://127.0.0.1:1234/v1")),
      );
      const reply = await chat({ messages: userMessages("x") });
      expect([reply.status, errorOf(reply.body).code]).toEqual([status, "provider_error"]);
      expect(errorOf(reply.body).message).toMatch(
        new RegExp(`^The provider refused the hub's request with status ${status}`),
      );
      expect(JSON.stringify(reply.body)).not.toMatch(/sk-up|127\.0|1234/);
    }
  });
});
