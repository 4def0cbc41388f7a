import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { APICallError, generateText, type LanguageModel, Output, stepCountIs, tool } from "ai";
import OpenAI from "openai";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { type Customer, newCustomer } from "../api/customer";
import { makePng } from "../media/png";
import { openChatHost } from "./host";
import { errorBody, respondWith } from "./upstream";

const host = await openChatHost();
const baseURL = `${host.url}/api/v1/hub`;
let customer: Customer;
let openai: OpenAI;
let picture: Buffer;
beforeAll(async () => {
  customer = await newCustomer(host.hub);
  openai = new OpenAI({ baseURL, apiKey: customer.key });
  picture = await makePng("blue", { width: 6, height: 4 });
});

const messages = [{ role: "user" as const, content: "hello" }];
const city = z.object({ city: z.string(), degrees: z.number() });
const busy = respondWith(429, errorBody("slow down"), { "retry-after": "1" });
const away = respondWith(503, errorBody("overloaded"), { "retry-after": "1" });
const thrownBy = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable("it should have failed"),
    (thrown: unknown) => thrown,
  );

describe("openai", () => {
  test("completes a chat with its request id and its cost", async () => {
    const { data, request_id } = await openai.chat.completions.create({ model: "talk", messages }).withResponse();
    expect(data.choices[0]!.message.content).toBe("You said: hello");
    expect(data.usage).toMatchObject({ total_tokens: 8, cost: 0.000015 });
    expect(request_id).toMatch(/^[\w.-]{8,128}$/);
    expect((data as unknown as { _request_id: string })._request_id).toBe(request_id);
  });

  test("runs a tool and continues with its result", async () => {
    const runner = openai.chat.completions.runTools({
      model: "talk",
      messages: [{ role: "user", content: "How warm is it?" }],
      tools: [
        {
          type: "function",
          function: {
            name: "get_weather",
            description: "Weather",
            parameters: { type: "object", properties: { city: { type: "string" } } },
            parse: JSON.parse as (text: string) => { city: string },
            function: ({ city: where }: { city: string }) => `${where}: 21 degrees`,
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe("You said: Paris: 21 degrees");
  });

  test("reads a JSON response", async () => {
    const answer = await openai.chat.completions.parse({
      model: "talk",
      messages,
      response_format: {
        type: "json_schema",
        json_schema: { name: "city", strict: true, schema: z.toJSONSchema(city) },
      },
    });
    expect(city.parse(JSON.parse(answer.choices[0]!.message.content!))).toEqual({ city: "Paris", degrees: 21 });
  });

  test("asks about an image", async () => {
    const url = `data:image/png;base64,${picture.toString("base64")}`;
    const content = [
      { type: "text" as const, text: "?" },
      { type: "image_url" as const, image_url: { url } },
    ];
    const answer = await openai.chat.completions.create({ model: "talk", messages: [{ role: "user", content }] });
    expect(answer.choices[0]!.message.content).toBe("I see data:image/png;base64,");
  });

  test("throws the right error class, with code, message and request id", async () => {
    const bad = openai.chat.completions.create({ model: "talk", messages, n: 2 });
    const rejected = (await thrownBy(bad)) as InstanceType<typeof OpenAI.APIError>;
    expect(rejected).toBeInstanceOf(OpenAI.BadRequestError);
    expect(rejected).toMatchObject({ status: 400, code: "invalid_input", type: "invalid_request_error" });
    expect(rejected.requestID).toMatch(/^[\w.-]{8,128}$/);
    expect(rejected.message).toContain("n: is not supported");

    const otherCustomer = new OpenAI({ baseURL, apiKey: "sk-none" });
    const unknown = (await thrownBy(otherCustomer.chat.completions.create({ model: "talk", messages }))) as Error;
    expect(unknown).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(unknown.message).toContain("API key is not valid");
    // LiteLLM treats any 401 of another type as a bad request.
    expect(unknown).toMatchObject({ type: "authentication_error" });

    const nobody = await thrownBy(openai.chat.completions.create({ model: "nobody", messages }));
    expect(nobody).toBeInstanceOf(OpenAI.NotFoundError);

    host.upstream.respondNext(respondWith(401, errorBody("bad key")));
    const upstream = (await thrownBy(openai.chat.completions.create({ model: "talk", messages }))) as Error;
    expect(upstream).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(upstream).toMatchObject({ code: "provider_error" });
    expect(upstream.message).toContain("The provider refused the hub's request");
  });

  test("retries 429 and 503 with one idempotency key, and is charged once", async () => {
    host.upstream.respondNext(busy, away);
    const requestCount = host.upstream.requests.length;
    const answer = await openai.chat.completions.create(
      { model: "talk", messages },
      { headers: { "Idempotency-Key": "retried" }, maxRetries: 3 },
    );
    expect(answer.choices[0]!.message.content).toBe("You said: hello");
    expect(host.upstream.requests.length).toBe(requestCount + 3);
    const rows = await host.hub.db.query<{ status: string; billed_cost: bigint }>(
      "SELECT status, billed_cost FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 3",
      [customer.account],
    );
    expect(rows.map(({ status, billed_cost }) => [status, Number(billed_cost)])).toEqual([
      ["succeeded", 15_000],
      ["failed", 0],
      ["failed", 0],
    ]);
  });

  test("does not retry a conflict", async () => {
    const once = { headers: { "Idempotency-Key": "conflict" } };
    await openai.chat.completions.create({ model: "talk", messages }, once);
    const other = { model: "talk", messages: [{ role: "user" as const, content: "other" }] };
    const send = vi.fn(fetch);
    const counted = openai.withOptions({ fetch: send, maxRetries: 5 });
    expect(await thrownBy(counted.chat.completions.create(other, once))).toBeInstanceOf(OpenAI.ConflictError);
    expect(send).toHaveBeenCalledTimes(1);
  });
});

type Maker = (key: string) => (model: string) => LanguageModel;
const makers: [string, Maker][] = [
  [
    "@ai-sdk/openai-compatible",
    (apiKey) => createOpenAICompatible({ name: "hub", baseURL, apiKey, supportsStructuredOutputs: true }),
  ],
  ["@openrouter/ai-sdk-provider", (apiKey) => (model) => createOpenRouter({ baseURL, apiKey }).chat(model)],
];

describe.each(makers)("ai with %s", (_name, maker) => {
  let model: LanguageModel;
  beforeAll(() => {
    model = maker(customer.key)("talk");
  });

  test("completes a chat", async () => {
    const { text, usage, finishReason } = await generateText({ model, prompt: "hello" });
    expect(text).toMatch(/^(You said: hello|I see )/);
    expect(finishReason).toBe("stop");
    expect(usage).toMatchObject({ outputTokens: 7 });
  });

  test("runs a tool and continues with its result", async () => {
    const weather = tool({
      description: "Weather",
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city: where }) => `${where}: 21 degrees`,
    });
    const { text, steps } = await generateText({
      model,
      prompt: "How warm is it?",
      tools: { get_weather: weather },
      stopWhen: stepCountIs(3),
    });
    expect(steps.length).toBe(2);
    expect(steps[0]!.toolResults).toMatchObject([{ toolName: "get_weather", output: "Paris: 21 degrees" }]);
    expect(text).toContain("21 degrees");
  });

  test("reads a JSON response", async () => {
    const { output } = await generateText({ model, prompt: "Where?", output: Output.object({ schema: city }) });
    expect(output).toEqual({ city: "Paris", degrees: 21 });
  });

  test("asks about an image", async () => {
    const content = [
      { type: "text" as const, text: "?" },
      { type: "image" as const, image: picture },
    ];
    const { text } = await generateText({ model, messages: [{ role: "user", content }] });
    expect(text).toBe("I see data:image/png;base64,");
  });

  test("throws errors with status and message", async () => {
    const call = generateText({ model: maker("sk-none")("talk"), prompt: "hello", maxRetries: 0 });
    const unknown = await thrownBy(call);
    expect(APICallError.isInstance(unknown) && [unknown.statusCode, unknown.isRetryable]).toEqual([401, false]);
    expect((unknown as Error).message).toContain("API key is not valid");
    const nobody = await thrownBy(generateText({ model: maker(customer.key)("nobody"), prompt: "hello" }));
    expect(APICallError.isInstance(nobody) && nobody.statusCode).toBe(404);
  });

  test("retries 429 and 503 automatically", async () => {
    host.upstream.respondNext(busy, away);
    const { text } = await generateText({ model, prompt: "hello", maxRetries: 2 });
    expect(text).toMatch(/^(You said: hello|I see )/);
  });
});

describe("the sandbox", () => {
  test("serves the same clients without a provider's key", async () => {
    const answer = await openai.chat.completions.create({ model: "sandbox-text", messages });
    expect(answer.choices[0]!.message.content).toContain("hello");
    const tools = { get_weather: tool({ inputSchema: z.object({ city: z.string() }), execute: () => "21 degrees" }) };
    const model = createOpenAICompatible({
      name: "hub",
      baseURL,
      apiKey: customer.key,
      supportsStructuredOutputs: true,
    })("sandbox-text");
    const called = await generateText({ model, prompt: "the weather, please", tools, stopWhen: stepCountIs(3) });
    expect(called.text).toContain("21 degrees");
    const { output } = await generateText({ model, prompt: "Where?", output: Output.object({ schema: city }) });
    expect(city.safeParse(output).success).toBe(true);
  });
});
