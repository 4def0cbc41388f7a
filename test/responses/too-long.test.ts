import OpenAI from "openai";
import { beforeEach, describe, expect, test } from "vitest";
import type { Customer } from "../api/customer";
import { errorBody, respondWith } from "../chat/upstream";
import { streamEvents } from "../openai/stream-upstream";
import { type Json, openResponsesHost } from "./open-responses";

const host = await openResponsesHost();
const { upstream } = host;
let customer: Customer;
beforeEach(async () => {
  customer = await host.customer();
});

const offer = (route = "") =>
  host.setModels(`
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: gpt-up${route} }]
`);
const CHAT = "";
const NATIVE = ", responses: true";

const begun = { id: "resp_up", object: "response", status: "in_progress", output: [] };
const tooLong = { code: "context_length_exceeded", message: "Your input exceeds the context window of this model." };
const failed = { ...begun, status: "failed", error: tooLong };

const long = { input: "word ".repeat(130_000) };
const short = { input: "hello" };
const inOtherWords = respondWith(400, errorBody("This model's maximum context length is 100000 tokens"));

describe("a prompt that is longer than the model's context", () => {
  test.each([
    ["by the hub's own count", CHAT, long, null],
    ["by the hub's own count, before a provider with Responses", NATIVE, long, null],
    ["by the code of the provider", CHAT, short, respondWith(400, { error: tooLong })],
    ["by the words of the provider", CHAT, short, inOtherWords],
    ["by a provider with Responses", NATIVE, short, respondWith(400, { error: tooLong })],
  ])("is a 400 with its code: %s", async (_name, route, body, response) => {
    offer(route);
    if (response) upstream.respondNext(response);
    const { length } = upstream.requests;
    const reply = await host.respond(customer.key, body);
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "context_length_exceeded" } } });
    expect(upstream.requests).toHaveLength(length + (response ? 1 : 0));
  });

  test.each([
    ["by the hub's own count", CHAT, long, null],
    ["by the code of the provider", CHAT, short, respondWith(400, { error: tooLong })],
    ["by the words of the provider", CHAT, short, inOtherWords],
    ["by the first event of a chat", CHAT, short, streamEvents({ error: tooLong })],
    ["by a provider with Responses", NATIVE, short, respondWith(400, { error: tooLong })],
    [
      "by the stream of a provider with Responses",
      NATIVE,
      short,
      streamEvents({ type: "response.created", response: begun }, { type: "response.failed", response: failed }),
    ],
  ])("ends a stream with response.failed, where Codex looks for its code: %s", async (_name, route, body, response) => {
    offer(route);
    if (response) upstream.respondNext(response);
    const { response: answer, events } = await host.stream(customer.key, body);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(events.map(({ type }) => type)).toEqual(["response.created", "response.in_progress", "response.failed"]);
    const [created, , last] = events.map((event) => event.response as Json);
    expect(last).toMatchObject({
      id: created!.id,
      model: "talk",
      status: "failed",
      error: { code: "context_length_exceeded" },
    });
    const generation = answer.headers.get("x-generation-id");
    expect(generation === null).toBe(response === null);
    if (generation) expect(created!.id).toBe(`resp_${generation.replaceAll("-", "")}`);
    const billed = await host.hub.db.query("SELECT billed_cost FROM generation WHERE account_id = $1", [customer.account]); // prettier-ignore
    expect(billed).toEqual(response ? [{ billed_cost: 0n }] : []);
  });

  // The hub's own count leaves prompts near the limit to the provider.
  test("is a 400 with its code in a response of the sandbox", async () => {
    const { status, body } = await host.respond(customer.key, { ...long, model: "sandbox-text" });
    expect([status, body]).toMatchObject([400, { error: { code: "context_length_exceeded" } }]);
  });

  test("ends a stream of the sandbox with response.failed and its code", async () => {
    const { events } = await host.stream(customer.key, { ...long, model: "sandbox-text" });
    const { response } = events.at(-1)!;
    expect(response).toMatchObject({ status: "failed", error: { code: "context_length_exceeded" } });
  });

  test("is that error for OpenAI's SDK in a chat as well", async () => {
    offer();
    upstream.respondNext(inOtherWords);
    const chat = host.sdk(customer.key).chat.completions.create({
      model: "talk",
      messages: [{ role: "user", content: "hello" }],
    });
    const error: unknown = await chat.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: "context_length_exceeded" });
  });

  test("is that error in a chat of the sandbox", async () => {
    const chat = host.sdk(customer.key).chat.completions.create({
      model: "sandbox-text",
      messages: [{ role: "user", content: long.input }],
    });
    const error: unknown = await chat.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400, code: "context_length_exceeded" });
  });
});
