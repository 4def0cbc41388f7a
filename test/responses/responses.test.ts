import { beforeEach, describe, expect, test } from "vitest";
import { openReasoning, sealReasoning } from "../../server/domain/responses/reasoning";
import { listBodies } from "../agents/recordings";
import { alterEnd } from "../alter-end";
import { type Customer, newCustomer } from "../api/customer";
import { MODEL_YAML } from "../chat/host";
import { completeWith, holdNext } from "../chat/upstream";
import { streamEvents, streamWords, takeNext, textChunk, usageOf } from "../openai/stream-upstream";
import { createRandom } from "../random";
import { openRawClient } from "../raw-client";
import { seed, soakCount } from "../soak";
import { codexFollowUp, codexRequest } from "./codex-requests";
import { mutateRequest } from "./mutate";
import { checkStream, type Json, openResponsesHost } from "./open-responses";

const host = await openResponsesHost();
const { upstream, hub } = host;
let customer: Customer;
const REASONING_YAML = MODEL_YAML.replace("structured_output", "structured_output, reasoning");
beforeEach(async () => {
  host.setModels(MODEL_YAML);
  customer = await host.customer();
});

const chunk = (delta: Json, finish_reason: string | null = null) => ({
  ...textChunk(""),
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (index: number, id: string, name: string, text: string) => ({
  index,
  id,
  type: "function",
  function: { name, arguments: text },
});

test("reasoning comes back only as it was sent", () => {
  const owner = { hub, account: { id: customer.account } };
  const sealed = sealReasoning(owner, "Let me think.");
  expect(openReasoning(owner, sealed)).toBe("Let me think.");
  for (const altered of alterEnd(sealed)) expect(openReasoning(owner, altered), altered).toBeNull();
});

describe("a response over a chat", () => {
  test("is a response with usage and cost, whole and streamed", async () => {
    upstream.respondNext(completeWith({ usage: usageOf(10, 3) }));
    const reply = await host.respond(customer.key, { input: "hello", instructions: "Be kind.", store: false });
    expect(reply.status).toBe(200);
    expect(upstream.requests.at(-1)!.path).toBe("/v1/chat/completions");
    expect(upstream.requests.at(-1)!.body.messages).toEqual([
      { role: "system", content: "Be kind." },
      { role: "user", content: "hello" },
    ]);
    expect(reply.body).toMatchObject({
      object: "response",
      status: "completed",
      model: "talk",
      instructions: "Be kind.",
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "You said: hello" }] }],
      usage: { input_tokens: 10, output_tokens: 3, total_tokens: 13, cost: 0.000016 },
    });
    upstream.respondNext(streamWords(["Hi", " you"]));
    const { response, events } = await host.stream(customer.key, { input: "hello", store: false });
    expect(response.headers.get("x-generation-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(checkStream(events)).toMatchObject({ status: "completed", output: [{ content: [{ text: "Hi you" }] }] });
  });

  test("streams texts with the log probabilities that OpenAI's SDKs require, also from the store", async () => {
    upstream.respondNext(streamWords(["Hi", " you"]));
    const { events } = await host.stream(customer.key, { input: "hello" });
    const { id } = checkStream(events);
    const stored: { type: string }[] = [];
    for await (const event of await host.sdk(customer.key).responses.retrieve(String(id), { stream: true }))
      stored.push(event);
    for (const list of [events, stored]) {
      const texts = list.filter(({ type }) => /^response\.output_text\./.test(String(type)));
      expect(texts.map(({ type }) => type)).toContain("response.output_text.delta");
      expect(texts.at(-1)!.type).toBe("response.output_text.done");
      for (const text of texts) expect(text).toMatchObject({ logprobs: [] });
    }
  });

  test("streams reasoning, text and interleaved calls as items whose events agree", async () => {
    host.setModels(REASONING_YAML);
    upstream.respondNext(
      streamEvents(
        chunk({ reasoning_content: "Let me " }),
        chunk({ reasoning_content: "think." }),
        chunk({ content: "I call " }),
        chunk({ content: "two." }),
        chunk({ tool_calls: [call(0, "call_a", "one", "")] }),
        chunk({ tool_calls: [call(1, "call_b", "two", '{"b":')] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
        chunk({ tool_calls: [{ index: 1, function: { arguments: "2}" } }] }),
        chunk({}, "tool_calls"),
        { ...textChunk(""), choices: [], usage: usageOf(10, 9) },
        "data: [DONE]\n\n",
      ),
    );
    const tools = ["one", "two"].map((name) => ({ type: "function", name, parameters: {} }));
    const { events } = await host.stream(customer.key, {
      input: "go",
      tools,
      include: ["reasoning.encrypted_content"],
    });
    const { output } = checkStream(events) as { output: Json[] };
    expect(output).toMatchObject([
      {
        type: "reasoning",
        summary: [{ text: "Let me think." }],
        encrypted_content: expect.stringMatching(/^hub1\./) as string,
      },
      { type: "message", content: [{ text: "I call two." }] },
      { type: "function_call", call_id: "call_a", name: "one", arguments: '{"a":1}' },
      { type: "function_call", call_id: "call_b", name: "two", arguments: '{"b":2}' },
    ]);
    const outputs = ["call_a", "call_b"].map((call_id) => ({ type: "function_call_output", call_id, output: "ok" }));
    await host.respond(customer.key, { input: [{ role: "user", content: "go" }, ...output, ...outputs], tools });
    expect(upstream.requests.at(-1)!.body.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: "I call two.",
        reasoning_content: "Let me think.",
        tool_calls: [
          { id: "call_a", type: "function", function: { name: "one", arguments: '{"a":1}' } },
          { id: "call_b", type: "function", function: { name: "two", arguments: '{"b":2}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_a", content: "ok" },
      { role: "tool", tool_call_id: "call_b", content: "ok" },
    ]);
    const other = await host.customer();
    await host.respond(other.key, { input: [{ role: "user", content: "go" }, output[0]] });
    expect(upstream.requests.at(-1)!.body.messages).toEqual([{ role: "user", content: "go" }]);
  });

  test("goes on after a turn of reasoning alone, also with a model that does not take reasoning", async () => {
    host.setModels(REASONING_YAML + MODEL_YAML.replace("id: talk", "id: plain"));
    const message = { role: "assistant", content: "", reasoning_content: "Hmm." };
    upstream.respondNext(completeWith({ choices: [{ index: 0, message, finish_reason: "length" }] }));
    const { body } = await host.respond(customer.key, { input: "hello" });
    expect(body).toMatchObject({ status: "incomplete", output: [{ type: "reasoning" }] });
    const next = { previous_response_id: body.id, input: "Go on." };
    const asked = { role: "user", content: "Go on." };
    expect((await host.respond(customer.key, next)).status).toBe(200);
    expect(upstream.requests.at(-1)!.body.messages).toEqual([{ role: "user", content: "hello" }, message, asked]);
    expect((await host.respond(customer.key, { ...next, model: "plain" })).status).toBe(200);
    expect(upstream.requests.at(-1)!.body.messages).toEqual([{ role: "user", content: "hello" }, asked]);
  });

  test("ends as incomplete at its limit, and as failed when the stream breaks", async () => {
    upstream.respondNext(streamEvents(textChunk("Hi"), textChunk("", "length"), "data: [DONE]\n\n"));
    const { events } = await host.stream(customer.key, { input: "hello" });
    expect(checkStream(events)).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ status: "incomplete" }],
    });
    for (const last of [[{ error: { message: "boom" } }], []]) {
      upstream.respondNext(streamEvents(textChunk("Hi"), ...last));
      const broken = await host.stream(customer.key, { input: "hello" });
      expect(broken.events.at(-1)).toMatchObject({
        type: "response.failed",
        response: { status: "failed", error: { code: "server_error" } },
      });
      expect(broken.events.map(({ type }) => type)).not.toContain("response.completed");
    }
  });
});

describe("Codex's tools", () => {
  const last = () => upstream.requests.at(-1)!.body as unknown as { tools: { function: Json }[] };

  test("as an unknown model: namespaces are prefixed and found again, web_search is dropped and named", async () => {
    upstream.respondNext(
      completeWith({
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: null, tool_calls: [call(0, "call_1", "clock__now", "{}")] },
            finish_reason: "tool_calls",
          },
        ],
      }),
    );
    const reply = await host.respond(customer.key, {
      input: [{ type: "message", role: "developer", content: [{ type: "input_text", text: "You are Codex." }] }],
      tools: [
        { type: "function", name: "exec_command", parameters: { type: "object", properties: {} }, strict: false },
        { type: "namespace", name: "clock", tools: [{ type: "function", name: "now", parameters: {} }] },
        { type: "web_search", external_web_access: true },
      ],
      tool_choice: "auto",
      parallel_tool_calls: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      client_metadata: { a: "b" },
      seed: 7,
      "no header\n": 1,
    });
    expect(last().tools.map((tool) => tool.function.name)).toEqual(["exec_command", "clock__now"]);
    expect(reply.headers.get("x-hub-dropped")).toBe("web_search,seed,other");
    expect(reply.body).toMatchObject({
      output: [{ type: "function_call", call_id: "call_1", name: "now", namespace: "clock", arguments: "{}" }],
    });
  });

  test("members of tools and reasoning that a chat does not have are named", async () => {
    const later = { type: "function", name: "later", parameters: {}, defer_loading: true, output_schema: null };
    const reply = await host.respond(customer.key, {
      input: [
        { role: "user", content: "go" },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAAA" },
        { role: "assistant", content: "Gone." },
        { role: "user", content: "go on" },
      ],
      tools: [later, { type: "namespace", name: "clock", description: "Time", tools: [{ ...later, name: "now" }] }],
    });
    expect(reply.headers.get("x-hub-dropped")).toBe("tools.defer_loading,tools.description,reasoning");
    const own = { type: "function", name: "now", parameters: {} };
    const plain = await host.respond(customer.key, { input: "go", tools: [own] });
    expect(plain.headers.has("x-hub-dropped")).toBe(false);
  });

  test("as gpt-5.5: a custom call round-trips byte for byte, and tool_search is the client's", async () => {
    const patch = '*** Begin Patch\n*** Update File: a "b"\\n\n+ü\n*** End Patch';
    const text = JSON.stringify({ input: patch });
    upstream.respondNext(
      streamEvents(
        chunk({ tool_calls: [call(0, "call_1", "apply_patch", text.slice(0, 9))] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: text.slice(9) } }] }),
        chunk({ tool_calls: [call(1, "call_2", "tool_search", '{"query":"x"}')] }),
        chunk({}, "stop"),
        "data: [DONE]\n\n",
      ),
    );
    const tools = [
      {
        type: "custom",
        name: "apply_patch",
        description: "Patches",
        format: { type: "grammar", syntax: "lark", definition: "start: x" },
      },
      {
        type: "tool_search",
        execution: "client",
        description: "Finds tools",
        parameters: { type: "object", properties: {} },
      },
    ];
    const { events } = await host.stream(customer.key, { input: "go", tools });
    const { output } = checkStream(events) as { output: Json[] };
    expect(output).toMatchObject([
      { type: "custom_tool_call", call_id: "call_1", name: "apply_patch", input: patch },
      { type: "tool_search_call", call_id: "call_2", execution: "client", arguments: { query: "x" } },
    ]);
    expect(JSON.stringify(last().tools[0])).toContain("start: x");
    await host.respond(customer.key, {
      input: [
        { role: "user", content: "go" },
        ...output,
        { type: "custom_tool_call_output", call_id: "call_1", output: [{ type: "input_text", text: "done" }] },
        { type: "tool_search_output", call_id: "call_2", tools: [{ type: "function", name: "found", parameters: {} }] },
      ],
      tools,
    });
    const { messages } = upstream.requests.at(-1)!.body as unknown as { messages: Json[] };
    expect((messages[1]!.tool_calls as { function: Json }[])[0]!.function.arguments).toBe(text);
    expect(messages[2]).toEqual({ role: "tool", tool_call_id: "call_1", content: "done" });
    expect(last().tools.map((tool) => tool.function.name)).toEqual(["apply_patch", "tool_search", "found"]);
  });

  test("as gpt-6: additional_tools with a namespace called functions", async () => {
    upstream.respondNext(
      streamEvents(
        chunk({ tool_calls: [call(0, "c", "functions__exec", '{"input":"1+1"}')] }),
        chunk({}, "tool_calls"),
      ),
    );
    const { events } = await host.stream(customer.key, {
      input: [
        {
          type: "additional_tools",
          role: "developer",
          tools: [
            {
              type: "namespace",
              name: "functions",
              tools: [
                { type: "custom", name: "exec" },
                { type: "function", name: "wait" },
              ],
            },
          ],
        },
        { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] },
      ],
    });
    expect(checkStream(events)).toMatchObject({
      output: [{ type: "custom_tool_call", name: "exec", namespace: "functions", input: "1+1" }],
    });
    expect(last().tools.map((tool) => tool.function.name)).toEqual(["functions__exec", "functions__wait"]);
  });

  test.each([
    [{ tools: [{ type: "web_search" }] }, "tools"],
    [
      { tools: [{ type: "web_search" }, { type: "function", name: "a" }], tool_choice: { type: "web_search" } },
      "tool_choice.type",
    ],
    [{ input: [{ type: "message", role: "user", content: [{ type: "input_movie" }] }] }, "input.0.content.0.type"],
    [{ input: [{ type: "wish" }] }, "input.0.type"],
    [{ input: [{ type: "function_call", name: "a", arguments: "{}" }] }, "input.0.call_id"],
    [{ conversation: "conv_1" }, "conversation"],
    [{ background: true }, "background"],
    [{ prompt: { id: "pmpt_1" } }, "prompt"],
    [{ include: ["message.output_text.logprobs"] }, "include.0"],
    [{ max_output_tokens: 0 }, "max_output_tokens"],
    [
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "ftp://a/b" }] }] },
      "input.0.content.0.image_url",
    ],
  ])("rejects %j with the path", async (body, param) => {
    const reply = await host.respond(customer.key, { input: "hello", ...body });
    expect(reply).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error", param } } });
  });
});

test("an upgrade to WebSocket is answered 426 without a key, other methods 405", async () => {
  const head = ["GET /v1/responses HTTP/1.1", "Host: hub", "Connection: Upgrade", "Upgrade: websocket"];
  const client = await openRawClient(host.url, `${head.join("\r\n")}\r\n\r\n`);
  await expect.poll(client.received).toContain("\r\n\r\n");
  expect(client.received()).toMatch(/^HTTP\/1\.1 426 [^]*\r\nX-Request-Id: \S+\r\n/i);
  client.socket.destroy();
  const reply = await fetch(`${host.url}/v1/responses`);
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
});

test("no money is 429 insufficient_quota, and a wrong key 401, neither of which is retried", async () => {
  const poor = await newCustomer(hub, { credit: 0 });
  const reply = await host.respond(poor.key, { input: "hello" });
  expect(reply).toMatchObject({
    status: 429,
    body: { error: { type: "insufficient_quota", code: "insufficient_quota" } },
  });
  expect(reply.headers.get("x-should-retry")).toBe("false");
  const unknown = await host.respond("service_sk_unknown", { input: "hello" });
  expect([unknown.status, unknown.headers.get("x-should-retry")]).toEqual([401, "false"]);
});

test("a repeat with the same key is the same response, streamed too", async () => {
  const made = await host.respond(customer.key, { input: "hello" }, { "Idempotency-Key": "k1" });
  const again = await host.respond(customer.key, { input: "hello" }, { "Idempotency-Key": "k1" });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.body).toEqual(made.body);
});

test.each(["/v1/chat/completions", "/v1/messages", "/v1/responses"])(
  "%s tells SDKs not to repeat a 401, and names the request that still runs with the same key",
  async (path) => {
    const send = (key: string) =>
      fetch(host.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "running" },
        body: JSON.stringify({
          model: "talk",
          max_tokens: 10,
          ...(path === "/v1/responses" ? { input: "hello" } : { messages: [{ role: "user", content: "hello" }] }),
        }),
      });
    const unknown = await send("service_sk_unknown");
    expect([unknown.status, unknown.headers.get("x-should-retry")]).toEqual([401, "false"]);
    const requests = upstream.requests.length;
    const release = holdNext(upstream);
    const first = send(customer.key);
    await expect.poll(() => upstream.requests.length).toBe(requests + 1);
    const second = await send(customer.key);
    release();
    expect(second.status).toBe(503);
    expect(second.headers.get("x-generation-id")).toBe((await first).headers.get("x-generation-id"));
  },
);

test("a broken delivery is joined by the repeat with equal values, and a repeat of a whole one is a second response", async () => {
  const body = { input: "hello", client_metadata: { a: "1", b: "2" } };
  const held = takeNext(upstream);
  const aborted = new AbortController();
  const first = fetch(`${host.url}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "talk", ...body, stream: true }),
    signal: aborted.signal,
  }).then((response) => response.text());
  const up = await held;
  aborted.abort();
  await expect(first).rejects.toThrow();
  const requests = upstream.requests.length;
  const repeat = host.stream(customer.key, { client_metadata: { b: "2", a: "1" }, input: "hello" });
  up.text("Hi");
  up.finish(usageOf(10, 1));
  expect(checkStream((await repeat).events)).toMatchObject({ output: [{ content: [{ text: "Hi" }] }] });
  expect(upstream.requests).toHaveLength(requests);
  await host.stream(customer.key, body);
  expect(upstream.requests).toHaveLength(requests + 1);
});

test("mutated requests of Codex, OpenCode and the AI SDK never make a 500", async () => {
  const random = createRandom(seed);
  const bodies = [codexRequest, codexFollowUp, ...listBodies("/v1/responses")];
  for (let count = soakCount(100, 2_000); count > 0; count -= 1) {
    const body = mutateRequest(bodies[Math.floor(random() * bodies.length)]!, random);
    const { status, body: reply } = await host.respond(customer.key, { ...body, model: "talk", stream: false });
    expect({ seed, body, reply, isUsual: [200, 400, 413].includes(status) }).toMatchObject({ isUsual: true });
    if (status !== 200 || random() < 0.8) continue;
    const { response } = await host.stream(customer.key, { ...body, model: "talk" });
    expect({ seed, body, status: response.status }).toMatchObject({ status: 200 });
  }
}, 600_000);
