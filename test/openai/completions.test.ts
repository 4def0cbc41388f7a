import OpenAI from "openai";
import { expect, test } from "vitest";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";

const host = await openOwnHost();
const { key, account } = await newCustomer(host.hub);
const client = new OpenAI({ baseURL: `${host.url}/v1`, apiKey: key, maxRetries: 0 });
const model = "sandbox-text";
const prompt = "A lighthouse is";

const countGenerations = async () =>
  (await host.hub.db.query("SELECT FROM generation WHERE account_id = $1", [account])).length;

test("the SDK completes a prompt, with usage, its cost and the generation's id", async () => {
  const { data, response } = await client.completions
    .create({ model, prompt, max_tokens: 50, logprobs: null, best_of: 1, echo: false, suffix: null, n: 1 })
    .withResponse();
  expect(data.object).toBe("text_completion");
  const [{ text, ...choice } = { text: "" }] = data.choices;
  expect(text).not.toBe("");
  expect(choice).toEqual({ index: 0, logprobs: null, finish_reason: "stop" });
  const usage = data.usage as { completion_tokens: number; cost: number } | undefined;
  expect(usage!.completion_tokens).toBeGreaterThan(0);
  expect(usage!.cost).toBeGreaterThan(0);
  expect(response.headers.get("x-generation-id")).toBe(data.id);
});

test.each([prompt, "A\u2028light\u2029house is"])("the SDK streams the same text for %j", async (said) => {
  const whole = await client.completions.create({ model, prompt: [said], max_tokens: 50 });
  const stream = await client.completions.create({
    model,
    prompt: said,
    max_tokens: 50,
    stream: true as const,
    stream_options: { include_usage: true },
  });
  const chunks: OpenAI.Completion[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks.map(({ choices }) => choices[0]?.text ?? "").join("")).toBe(whole.choices[0]!.text);
  expect(chunks.every(({ object }) => object === "text_completion")).toBe(true);
  expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
  expect(chunks.at(-1)!.usage!.completion_tokens).toBe(whole.usage!.completion_tokens);
});

test("a completion without a limit has OpenAI's sixteen tokens", async () => {
  const { usage, choices } = await client.completions.create({ model, prompt: `${prompt} `.repeat(20) });
  expect(usage!.completion_tokens).toBeLessThanOrEqual(16);
  expect(choices).toHaveLength(1);
});

test("a repeated request with an Idempotency-Key gets the same completion, once charged; a chat has keys of its own", async () => {
  const messages = [{ role: "user" as const, content: prompt }];
  await client.chat.completions.create({ model, messages }, { headers: { "Idempotency-Key": "completion-1" } });
  const before = await countGenerations();
  const send = () => client.completions.create({ model, prompt }, { headers: { "Idempotency-Key": "completion-1" } });
  const first = await send();
  expect(await send()).toEqual(first);
  expect(await countGenerations()).toBe(before + 1);
});

test.each([
  [{ prompt: ["a", "b"] }, "prompt"],
  [{ prompt: [1, 2] }, "prompt"],
  [{ prompt: "" }, "prompt"],
  [{}, "prompt"],
  [{ prompt, suffix: "." }, "suffix"],
  [{ prompt, echo: true }, "echo"],
  [{ prompt, best_of: 2 }, "best_of"],
  [{ prompt, logprobs: 3 }, "logprobs"],
  [{ prompt, n: 2 }, "n"],
])("rejects %j", async (body, param) => {
  const before = await countGenerations();
  await expect(client.post("/completions", { body: { model, ...body } })).rejects.toMatchObject({ status: 400, param });
  expect(await countGenerations()).toBe(before);
});

test.each([
  ["GET", "/v1/completion", 404, "Use POST /v1/completions."],
  ["POST", "/v1/v1/chat/completions", 404, "Use POST /v1/chat/completions."],
  ["POST", "/chat/completions", 404, "Use POST /v1/chat/completions."],
  ["POST", "/v1beta/models/gemini-2.5-pro:generateContent", 404, "Use POST /v1/chat/completions."],
  ["GET", "/v1beta/models", 404, "Use GET /v1/models."],
  ["POST", "/v1/engines/ada/embeddings", 404, "Use POST /v1/embeddings."],
  ["POST", "/v1/images/variations", 404, "Use POST /v1/images/"],
  ["POST", "/v1/threads", 404, "/v1/openapi.json lists the paths that work."],
  ["GET", "/v1/chat/completions", 405, "use POST /v1/chat/completions."],
  ["GET", "/v1/completions", 405, "use POST /v1/completions."],
  ["DELETE", "/v1/models/a", 405, "use GET /v1/models/{id}."],
])("%s %s is %i in OpenAI's envelope and names what works", async (method, path, status, message) => {
  const response = await fetch(`${host.url}${path}`, { method });
  const { error } = (await response.json()) as { error: { message: string; type: string } };
  expect([response.status, error.type]).toEqual([status, "invalid_request_error"]);
  expect(error.message).toContain(message);
});

const list = (headers: Record<string, string>) =>
  fetch(`${host.url}/v1/models`, { headers }).then(({ status }) => status);

test("a key is accepted in x-api-key and in api-key, and only one key at a time", async () => {
  const other = (await newCustomer(host.hub)).key;
  expect(await list({ "x-api-key": key })).toBe(200);
  expect(await list({ "api-key": key })).toBe(200);
  expect(await list({ authorization: `Bearer ${key}`, "x-api-key": key })).toBe(200);
  expect(await list({ authorization: `Bearer ${other}`, "x-api-key": key })).toBe(401);
  expect(await list({ "api-key": other, "x-api-key": key })).toBe(401);
  expect(await list({ "x-api-key": "service_sk_unknown" })).toBe(401);
  expect(await list({ "x-api-key": "" })).toBe(401);
  // The specified API accepts only the Authorization header.
  const specified = await fetch(`${host.url}/api/v1/hub/models`, { headers: { "x-api-key": key } });
  expect(specified.status).toBe(401);
});
