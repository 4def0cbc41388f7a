import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, streamText, tool } from "ai";
import OpenAI from "openai";
import { beforeEach, describe, expect, test } from "vitest";
import { type Customer, newCustomer } from "../api/customer";
import { clientOf } from "../messages/host";
import { DONE, streamEvents, textChunk, usageOf } from "../openai/stream-upstream";
import { auditAfterChats, openChatHost, userMessages } from "./host";
import { completeWith, type Responder } from "./upstream";

const host = await openChatHost();
const { hub, upstream, url } = host;
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(hub);
  await hub.db.query("UPDATE account SET reply_retention_days = 1 WHERE id = $1", [customer.account]);
});
auditAfterChats(hub);

type Json = Record<string, unknown>;

const pieceOf = (id: string | null, name: string | null, text: string): Json => ({
  ...(id !== null && { id, type: "function" }),
  function: { ...(name !== null && { name }), arguments: text },
});
const read = pieceOf("a", "read", '{"p":1}');
const write = pieceOf("b", "write", '{"p":2}');
/** The pieces of a call as each server sends them, by chunk. */
const streams: Record<string, Json[][]> = {
  "without indexes, whole": [[read], [write]],
  "without indexes, whole in one chunk": [[read, write]],
  "without indexes, in pieces": [
    [pieceOf("a", "read", '{"p"')],
    [pieceOf(null, null, ":1}")],
    [pieceOf("b", "write", '{"p"')],
    [pieceOf(null, null, ":2}")],
  ],
  "without indexes, interleaved by id": [
    [pieceOf("a", "read", '{"p"'), pieceOf("b", "write", '{"p"')],
    [pieceOf("a", null, ":1}"), pieceOf("b", null, ":2}")],
  ],
  "that all have index 0": [[{ index: 0, ...read }], [{ index: 0, ...write }]],
  "that all have index 0, in pieces": [
    [{ index: 0, ...pieceOf("a", "read", '{"p"') }],
    [{ index: 0, ...pieceOf(null, null, ":1}") }],
    [{ index: 0, ...pieceOf("b", "write", '{"p"') }],
    [{ index: 0, ...pieceOf(null, null, ":2}") }],
  ],
  "with indexes and a new id for each piece": [
    [
      { index: 0, ...pieceOf("a", "read", '{"p"') },
      { index: 1, ...pieceOf("b", "write", '{"p"') },
    ],
    [
      { index: 0, ...pieceOf("c", null, ":1}") },
      { index: 1, ...pieceOf("d", null, ":2}") },
    ],
  ],
};

const streamCalls = (chunks: Json[][]): Responder => {
  const chunkOf = (delta: Json, finish_reason: string | null = null) => ({
    ...textChunk(""),
    choices: [{ index: 0, delta, finish_reason }],
  });
  return streamEvents(
    chunkOf({ role: "assistant", content: null }),
    ...chunks.map((tool_calls) => chunkOf({ tool_calls })),
    chunkOf({}, "tool_calls"),
    { ...textChunk(""), choices: [], usage: usageOf(10, 9) },
    DONE,
  );
};

const prompt = userMessages("go") as OpenAI.ChatCompletionUserMessageParam[];
const names = ["read", "write"];
const schema = { type: "object" as const, properties: { p: { type: "integer" as const } } };
const functions = names.map((name) => ({ type: "function" as const, function: { name, parameters: schema } }));

/** Returns the stored reply of the customer's only generation. */
async function storedCalls(): Promise<unknown> {
  const [row] = await hub.db.query<{ choices: string }>(
    "SELECT choices FROM chat_reply JOIN generation g ON g.id = generation_id WHERE g.account_id = $1",
    [customer.account],
  );
  const [{ message }] = JSON.parse(row!.choices) as [{ message: { tool_calls: Json[] } }];
  return message.tool_calls;
}

const chatCalls = [
  { id: "a", type: "function", function: { name: "read", arguments: '{"p":1}' } },
  { id: "b", type: "function", function: { name: "write", arguments: '{"p":2}' } },
];

describe.each(Object.entries(streams))("two calls %s", (_kind, chunks) => {
  test("are two for OpenAI's SDK, its helper and the stored reply", async () => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: customer.key, maxRetries: 0 });
    upstream.respondNext(streamCalls(chunks));
    const stream = client.chat.completions.stream({ model: "talk", messages: prompt, tools: functions });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]!.message.tool_calls).toMatchObject(chatCalls.map((call) => ({ function: call.function })));
    await expect.poll(() => hub.chats.size).toBe(0);
    expect(await storedCalls()).toEqual(chatCalls);
  });

  test("are two for the AI SDK", async () => {
    const provider = createOpenAICompatible({ name: "hub", baseURL: `${url}/v1`, apiKey: customer.key });
    upstream.respondNext(streamCalls(chunks));
    const tools = Object.fromEntries(names.map((name) => [name, tool({ inputSchema: jsonSchema<Json>(schema) })]));
    const { toolCalls } = streamText({ model: provider("talk"), prompt: "go", tools, maxRetries: 0 });
    expect((await toolCalls).map(({ toolCallId, toolName, input }) => [toolCallId, toolName, input])).toEqual([
      ["a", "read", { p: 1 }],
      ["b", "write", { p: 2 }],
    ]);
  });

  test("are two for Anthropic's SDK", async () => {
    upstream.respondNext(streamCalls(chunks));
    const message = await clientOf(host, customer)
      .messages.stream({
        model: "talk",
        max_tokens: 500,
        messages: [{ role: "user", content: "go" }],
        tools: names.map((name) => ({ name, input_schema: schema })),
      })
      .finalMessage();
    expect(message.content).toEqual([
      { type: "tool_use", id: "a", name: "read", input: { p: 1 } },
      { type: "tool_use", id: "b", name: "write", input: { p: 2 } },
    ]);
    await expect.poll(() => hub.chats.size).toBe(0);
    expect(await storedCalls()).toEqual(chatCalls);
  });

  test("are two items of a response, also of the stored one", async () => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: customer.key, maxRetries: 0 });
    upstream.respondNext(streamCalls(chunks));
    const { id, output } = await client.responses
      .stream({
        model: "talk",
        input: "go",
        tools: names.map((name) => ({ type: "function" as const, name, parameters: schema, strict: false })),
      })
      .finalResponse();
    const items = [
      { type: "function_call", call_id: "a", name: "read", arguments: '{"p":1}' },
      { type: "function_call", call_id: "b", name: "write", arguments: '{"p":2}' },
    ];
    expect(output).toMatchObject(items);
    expect((await client.responses.retrieve(id)).output).toMatchObject(items);
  });
});

test("a server that ignores `stream` and numbers no calls, or each of them 0, has two as well", async () => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: customer.key, maxRetries: 0 });
  for (const index of [undefined, 0]) {
    const message = { role: "assistant", content: null, tool_calls: chatCalls.map((call) => ({ index, ...call })) };
    upstream.respondNext(completeWith({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] }));
    const stream = client.chat.completions.stream({ model: "talk", messages: prompt, tools: functions });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]!.message.tool_calls).toMatchObject(chatCalls);
  }
});
