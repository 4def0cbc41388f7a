import OpenAI from "openai";
import { beforeEach, describe, expect, test } from "vitest";
import { type Customer, newCustomer } from "../api/customer";
import { clientOf } from "../messages/host";
import { DONE, streamEvents, textChunk, usageOf } from "../openai/stream-upstream";
import { auditAfterChats, MODEL_YAML, openChatHost, userMessages } from "./host";
import { completeWith, errorBody, type Responder, respondWith } from "./upstream";

type Json = Record<string, unknown>;

const SIGNATURE = Buffer.from("signed by Gemini: \u00ff\u00fe?>~").toString("base64");
const SKIP = "skip_thought_signature_validator";
const extraOf = (thought_signature: string) => ({ google: { thought_signature } });
const callOf = (id: string, name: string) => ({ id, type: "function", function: { name, arguments: '{"p":1}' } });
/** Two parallel calls, of which Gemini signs the first one. */
const signedCalls = [{ ...callOf("call-1", "read"), extra_content: extraOf(SIGNATURE) }, callOf("call-2", "write")];

const usage = usageOf(10, 9);
const chunkOf = (delta: Json, finish_reason: string | null = null) => ({
  ...textChunk(""),
  choices: [{ index: 0, delta, finish_reason }],
});

/** Calls two tools, and answers 400 for calls that come back without the signature, as Gemini 3 does. */
const respondAsGemini: Responder = (response, request) => {
  const { messages, stream } = request.body as unknown as { messages: Json[]; stream?: boolean };
  const turns = messages.filter(({ tool_calls }) => tool_calls).map(({ tool_calls }) => tool_calls as Json[]);
  const signatures = turns.map(
    ([call]) => (call!.extra_content as ReturnType<typeof extraOf>)?.google.thought_signature,
  );
  const isSigned = signatures.every((signature) => signature === SIGNATURE || signature === SKIP);
  if (!isSigned) return respondWith(400, errorBody("Function call is missing a thought_signature."))(response, request);
  const tool_calls = turns.length === 0 ? signedCalls : undefined;
  const message = { role: "assistant", content: tool_calls ? null : "Done.", tool_calls };
  const finish = tool_calls ? "tool_calls" : "stop";
  if (!stream)
    return completeWith({ choices: [{ index: 0, message, finish_reason: finish }], usage })(response, request);
  const end = [chunkOf({}, finish), { ...textChunk(""), choices: [], usage }, DONE];
  return streamEvents(chunkOf(message), ...end)(response, request);
};

const host = await openChatHost({}, respondAsGemini);
const { hub, upstream, url } = host;
const GOOGLE_YAML = MODEL_YAML.replace("provider: up", "provider: second");
let customer: Customer;
beforeEach(async () => {
  host.setModels(GOOGLE_YAML, upstream.url.replace("/v1", "/v1beta/openai"));
  customer = await newCustomer(hub);
});
auditAfterChats(hub);

const sentMessages = () => upstream.requests.at(-1)!.body.messages as unknown as Json[];
const schema = { type: "object" as const, properties: { p: { type: "integer" as const } } };
const names = ["read", "write"];
/** The second request as Google must get it. */
const signedTurn = [
  { role: "user", content: "go" },
  expect.objectContaining({ role: "assistant", tool_calls: signedCalls }) as Json,
  { role: "tool", tool_call_id: "call-1", content: "read" },
  { role: "tool", tool_call_id: "call-2", content: "write" },
];

describe.each([true, false])("calls that Gemini has signed, streamed: %s,", (stream) => {
  const ask = (messages: Json[]) => {
    const request = {
      model: "talk",
      max_tokens: 500,
      messages: messages as unknown as [{ role: "user"; content: string }],
      tools: names.map((name) => ({ name, input_schema: schema })),
    };
    const { messages: api } = clientOf(host, customer);
    return stream ? api.stream(request).finalMessage() : api.create(request);
  };
  const openai = () => new OpenAI({ baseURL: `${url}/v1`, apiKey: customer.key, maxRetries: 0 });

  test("come back with their signatures from Messages", async () => {
    const first = await ask(userMessages("go"));
    const uses = first.content as { type: string; id: string; name: string; input: unknown }[];
    expect(uses.map(({ name }) => name)).toEqual(names);
    for (const { id } of uses) expect(id).toMatch(/^[\w-]+$/);
    // Many clients keep only these members of a call.
    const echoed = uses.map(({ id, name, input }) => ({ type: "tool_use", id, name, input }));
    const content = uses.map(({ id, name }) => ({ type: "tool_result", tool_use_id: id, content: name }));
    const conversation = [
      { role: "assistant", content: echoed },
      { role: "user", content },
    ];
    const second = await ask([...userMessages("go"), ...conversation]);
    expect(second.content).toMatchObject([{ type: "text", text: "Done." }]);
    expect(sentMessages()).toEqual(signedTurn);
    // A model of another provider gets the ids that the calls had, and no signature.
    host.setModels(MODEL_YAML);
    upstream.respondNext(completeWith({}));
    await clientOf(host, customer).messages.create({
      model: "talk",
      max_tokens: 500,
      messages: [...userMessages("go"), ...conversation] as unknown as [{ role: "user"; content: string }],
    });
    expect(sentMessages().slice(1)).toEqual([
      { role: "assistant", content: null, tool_calls: [callOf("call-1", "read"), callOf("call-2", "write")] },
      ...signedTurn.slice(2),
    ]);
  });

  test("come back with their signatures from Responses, by items and by a chain", async () => {
    const client = openai();
    const tools = names.map((name) => ({ type: "function" as const, name, parameters: schema, strict: false }));
    const send = (input: unknown, previous_response_id?: string) => {
      const request = { model: "talk", input: input as string, tools, previous_response_id };
      return stream ? client.responses.stream(request).finalResponse() : client.responses.create(request);
    };
    const { id, output } = await send("go");
    const calls = output as OpenAI.Responses.ResponseFunctionToolCall[];
    expect(calls.map(({ name }) => name)).toEqual(names);
    const outputs = calls.map(({ call_id, name: text }) => ({ type: "function_call_output", call_id, output: text }));
    expect((await send(outputs, id)).output).toMatchObject([{ content: [{ text: "Done." }] }]);
    expect(sentMessages()).toEqual(signedTurn);
    const echoed = calls.map(({ type, call_id, name, arguments: text }) => ({ type, call_id, name, arguments: text }));
    const input = [...userMessages("go"), ...echoed, ...outputs];
    expect((await send(input)).output).toMatchObject([{ content: [{ text: "Done." }] }]);
    expect(sentMessages()).toEqual(signedTurn);
    // OpenAI's own Responses take no id of more than 64 characters.
    host.setModels(MODEL_YAML.replace("gpt-up", "gpt-up, responses: true"));
    upstream.respondNext(respondWith(200, { id: "r", object: "response", status: "completed", output: [], usage: {} }));
    await client.responses.create({ model: "talk", input: input as unknown as string, tools });
    const native = (upstream.requests.at(-1)!.body as Json).input as Json[];
    expect(native.flatMap(({ call_id }) => call_id ?? [])).toEqual(["call-1", "call-2", "call-1", "call-2"]);
  });

  test("come back from a chat as its client sends them", async () => {
    const client = openai();
    const tools = names.map((name) => ({ type: "function" as const, function: { name, parameters: schema } }));
    const messages = userMessages("go") as OpenAI.ChatCompletionMessageParam[];
    let calls: Json[] = [];
    if (stream) {
      for await (const { choices } of await client.chat.completions.create({
        model: "talk",
        messages,
        tools,
        stream,
      })) {
        const pieces = (choices[0]?.delta.tool_calls ?? []) as unknown as Json[];
        calls.push(...pieces);
      }
    } else {
      const { choices } = await client.chat.completions.create({ model: "talk", messages, tools });
      calls = choices[0]!.message.tool_calls as unknown as Json[];
    }
    expect(calls).toEqual(signedCalls.map((call, index) => ({ ...call, ...(stream && { index }) })));
    const answers = signedTurn.slice(2) as unknown as OpenAI.ChatCompletionMessageParam[];
    const echo = { role: "assistant" as const, content: null, tool_calls: signedCalls as unknown as [] };
    const request = { model: "talk", tools, messages: [...messages, echo, ...answers] };
    expect((await client.chat.completions.create(request)).choices[0]!.message.content).toBe("Done.");
    expect(sentMessages()).toEqual(signedTurn);
  });
});

describe("calls without a signature, of another model,", () => {
  const tool_calls = [callOf("a", "read"), callOf("b", "write")];
  const messages = [
    ...userMessages("go"),
    { role: "assistant", content: null, tool_calls },
    { role: "tool", tool_call_id: "a", content: "1" },
    { role: "tool", tool_call_id: "b", content: "2" },
  ];

  test("have the value at Google by which it checks none", async () => {
    const { status, body } = await host.chat(customer.key, { messages });
    expect([status, body]).toMatchObject([200, { choices: [{ message: { content: "Done." } }] }]);
    expect(sentMessages()[1]!.tool_calls).toEqual([{ ...tool_calls[0]!, extra_content: extraOf(SKIP) }, tool_calls[1]]);
  });

  test("stay as they are for other servers", async () => {
    host.setModels(MODEL_YAML);
    upstream.respondNext(completeWith({}));
    await host.chat(customer.key, { messages });
    expect(sentMessages()).toEqual(messages);
  });
});

test("a repeat with the same key has the same ids, and a signature is no text that is charged", async () => {
  const request = {
    model: "talk",
    max_tokens: 500,
    messages: [{ role: "user" as const, content: "go" }],
    tools: names.map((name) => ({ name, input_schema: schema })),
  };
  const client = clientOf(host, customer);
  const send = async () => {
    const stream = client.messages.stream(request, { headers: { "idempotency-key": "one" } });
    return (await stream.finalMessage()).content;
  };
  const long = Buffer.alloc(9_000, "s").toString("base64");
  const tool_calls = [{ ...callOf("call-1", "read"), extra_content: extraOf(long) }];
  // Without usage the hub counts the text.
  upstream.respondNext(streamEvents(chunkOf({ role: "assistant", tool_calls }), chunkOf({}, "tool_calls"), DONE));
  const [first] = await send();
  expect(first).toMatchObject({ id: `call-1_hubsig_${Buffer.alloc(9_000, "s").toString("base64url")}` });
  expect(await send()).toEqual([first]);
  const [row] = await hub.db.query<{ tokens: number }>(
    "SELECT output_tokens AS tokens FROM generation WHERE account_id = $1",
    [customer.account],
  );
  expect(row!.tokens).toBeLessThan(50);
});

test("the hold covers signatures, which a provider may count as input", async () => {
  const hold = async (id: string) => {
    upstream.respondNext(completeWith({}));
    const use = { type: "tool_use" as const, id, name: "read", input: {} };
    await clientOf(host, customer).messages.create({
      model: "talk",
      max_tokens: 500,
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: [use] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "1" }] },
      ],
    });
    const [row] = await hub.db.query<{ held: number }>(
      "SELECT estimated_cost::int AS held FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
      [customer.account],
    );
    return row!.held;
  };
  const signature = Buffer.alloc(900, "s");
  const plain = await hold("call-1");
  // A token of the input costs 1000 nano-euros.
  expect(await hold(`call-1_hubsig_${signature.toString("base64url")}`)).toBe(plain + 1_200 * 1_000);
});
