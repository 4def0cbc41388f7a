import { expect, test, vi } from "vitest";
import { offerChatModel } from "./offer-chat-model";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { createLog } from "../../server/lib/log";
import { openTracing } from "../../server/lib/tracing/open-tracing";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { openUpstream, respondWith } from "../chat/upstream";
import { streamWords } from "../openai/stream-upstream";
import { openReceiver } from "../webhooks/receiver";
import { openOtlpReceiver, type ReceivedSpan } from "./otlp-receiver";
import { WAIT } from "../wait";

// The SDK reads them when it starts.
process.env.OTEL_EXPORTER_OTLP_PROTOCOL = "http/json";
process.env.OTEL_BSP_SCHEDULE_DELAY = "50";
const [otlp, receiver, upstream] = await Promise.all([openOtlpReceiver(), openReceiver(), openUpstream()]);
const host = await openRunningHost({
  OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
  OTEL_SERVICE_NAME: "hub-under-test",
  OUTBOUND_ALLOW_HOSTS: receiver.host,
});
const { hub } = host;
offerChatModel(hub, upstream.url);
const customer = await newCustomer(hub, { credit: 100 });
const { key } = customer;

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const traceparent = `00-${TRACE}-${PARENT}-01`;
const PROMPT = "a very private lighthouse";
const chatBody = { model: "talk", messages: [{ role: "user", content: PROMPT }] };
const CHAT = "/api/v1/hub/chat/completions";
const findSpan = (name: string, where: (span: ReceivedSpan) => boolean = () => true) =>
  vi.waitFor(() => {
    const found = otlp.spans.find((span) => span.name === name && where(span));
    if (!found) throw new Error(`no ${name} among ${otlp.spans.map((span) => span.name).join(", ")}`);
    return found;
  }, WAIT);

test("a chat continues the trace of its client, and the provider continues that of the hub", async () => {
  await callApi(host, "POST", CHAT, { key, body: chatBody, headers: { traceparent } });
  const operation = await findSpan("completeChat", ({ traceId }) => traceId === TRACE);
  expect(operation).toMatchObject({ parentSpanId: PARENT, kind: 2 });
  expect(operation.attributes).toMatchObject({
    "hub.operation": "completeChat",
    "hub.account_id": customer.account,
    "http.response.status_code": 200,
  });
  const accept = await findSpan("accept", ({ traceId }) => traceId === TRACE);
  expect(accept.parentSpanId).toBe(operation.spanId);
  const chat = await findSpan("chat talk");
  expect(chat).toMatchObject({ traceId: TRACE, parentSpanId: operation.spanId, kind: 3 });
  expect(chat.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "talk",
    "gen_ai.provider.name": "openai",
    "gen_ai.response.model": "gpt-up",
    "gen_ai.output.type": "text",
    "gen_ai.usage.output_tokens": 7,
    "gen_ai.response.finish_reasons": { values: [{ stringValue: "stop" }] },
    "hub.provider": "up",
    "hub.cost.eur": expect.any(Number) as number,
    "hub.generation_id": expect.any(String) as string,
  });
  const provider = await findSpan("provider chat");
  expect(provider.parentSpanId).toBe(chat.spanId);
  expect(upstream.requests.at(-1)!.headers.traceparent).toBe(`00-${TRACE}-${provider.spanId}-01`);
  expect(otlp.resources[0]).toMatchObject({ "service.name": "hub-under-test", "service.version": "0.2.0" });
  expect([...otlp.paths]).toEqual(["/v1/traces"]);
});

test("a streamed chat has its usage, and a failed one the type of its error", async () => {
  upstream.respondNext(streamWords(["one ", "two"]));
  const body = JSON.stringify({ ...chatBody, stream: true });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  await (await fetch(`${host.url}/v1/chat/completions`, { method: "POST", headers, body })).text();
  const streamed = await findSpan("chat talk", ({ attributes }) => attributes["gen_ai.request.stream"] === true);
  expect(streamed.attributes).toMatchObject({ "gen_ai.usage.output_tokens": 2, "hub.provider": "up" });
  upstream.respondNext(respondWith(429, {}));
  await callApi(host, "POST", CHAT, { key, body: chatBody });
  const failed = await findSpan("provider chat", ({ status }) => status.code === 2);
  expect(failed.attributes).toMatchObject({
    "error.type": "provider_rate_limited",
    "http.response.status_code": 429,
  });
  const around = await findSpan("chat talk", ({ spanId }) => spanId === failed.parentSpanId);
  expect(around.status.code).toBe(2);
});

test("the run of a generation is a trace of its own that is linked to the request; webhooks continue it", async () => {
  const account = { id: customer.account, email: customer.email, member: false, balance: 0n, reserved: 0n };
  const ctx = { hub, account, actor: { kind: "user" as const }, requestId: "test" };
  await createEndpoint(ctx, { url: receiver.url, events: ["generation.completed"] });
  const input = { model: "sandbox-image", input: { prompt: PROMPT } };
  const { body } = await callApi(host, "POST", "/api/v1/hub/generations", {
    key,
    body: input,
    headers: { traceparent },
  });
  const request = await findSpan("createGeneration");
  const step = await findSpan("run-generation attempt-1");
  expect(step).toMatchObject({ kind: 5, links: [{ traceId: TRACE, spanId: request.spanId }] });
  expect(step.traceId).not.toBe(TRACE);
  expect(step.attributes).toMatchObject({ "hub.generation_id": body.id });
  const work = await findSpan("generate_content sandbox-image");
  expect(work).toMatchObject({ traceId: step.traceId, parentSpanId: step.spanId });
  expect(work.attributes).toMatchObject({
    "gen_ai.output.type": "image",
    "gen_ai.provider.name": "sandbox",
  });
  expect((await findSpan("storage put")).parentSpanId).toBe(work.spanId);
  const webhook = await findSpan("webhook generation.completed");
  expect(webhook.attributes).toMatchObject({ "http.response.status_code": 204 });
  const sent = receiver.received.at(-1)!.headers.traceparent;
  expect(sent).toBe(`00-${webhook.traceId}-${webhook.spanId}-01`);
});

test("nothing of the customer's content, no key and no span of a library leaves the hub", async () => {
  await callApi(host, "POST", CHAT, {
    key,
    body: { ...chatBody, messages: "wrong" },
    headers: { traceparent: "no-trace" },
  });
  await findSpan("completeChat", ({ attributes }) => attributes["error.type"] === "invalid_input");
  const text = JSON.stringify([otlp.spans, otlp.resources]);
  expect(text).not.toContain("lighthouse");
  expect(text).not.toContain(key);
  expect(text).not.toContain("sk-upstream");
  expect(text).not.toContain(customer.email);
  expect([...otlp.scopes]).toEqual(["generation-hub"]);
});

test.each([
  "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
  "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
  "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  `${traceparent}-more`,
  "x".repeat(2_000),
])("the traceparent %s begins a new trace", async (invalid) => {
  const before = otlp.spans.length;
  await callApi(host, "GET", "/api/v1/me", { key, headers: { traceparent: invalid } });
  const span = await findSpan("getAccount", (span) => otlp.spans.indexOf(span) >= before);
  expect(span.parentSpanId || undefined).toBeUndefined();
});

test("lines of the log have the id of their trace", async () => {
  const lines: string[] = [];
  const { tracing } = hub;
  const log = createLog({ LOG_LEVEL: "info" }, () => tracing!.traceId(), { write: (line) => void lines.push(line) });
  log.info("outside");
  const id = await tracing!.run({ name: "test" }, async () => {
    log.info("inside");
    return tracing!.traceId();
  });
  expect(lines.map((line) => (JSON.parse(line) as { trace_id?: string }).trace_id)).toEqual([undefined, id]);
});

test("without the endpoint there is no tracing, and an unreachable receiver affects no request", async () => {
  const log = createLog({ LOG_LEVEL: "silent" });
  expect(await openTracing({ OTEL_SERVICE_NAME: "x" }, log)).toBeNull();
  const tracing = await openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_SERVICE_NAME: "x" }, log);
  expect(await tracing!.run({ name: "work" }, async () => 7)).toBe(7);
  await expect(tracing!.run({ name: "work" }, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await tracing!.close();
});
