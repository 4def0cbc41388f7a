import { generateText } from "ai";
import { expect, test } from "vitest";
import { createGenerationHub } from "../../clients/typescript/src/ai-sdk";
import {
  ApiError,
  ConnectionError,
  GenerationHub,
  RateLimitedError,
  verifyWebhook,
  WebhookVerificationError,
} from "../../clients/typescript/src/index";
import { newWebhookSecret } from "../../server/domain/webhook-secrets/secret";
import { signatureHeaders } from "../../server/domain/deliveries/sign";
import { findPython } from "./python-environment";
import { runOrThrow } from "./run-program";
import { type Answer, startScriptedServer } from "./scripted-server";

const queued = { id: "g1", status: "succeeded", progress: 1, missing: [], outputs: [], billed_cost: 0.0092 };
/** The beginning of a response whose end never comes. */
const cut: Answer = { status: 202, headers: { "Content-Length": "100000" }, body: {} };
const ok: Answer = { status: 202, body: queued };
const problem = (status: number, code: string, headers = {}, more = {}): Answer => ({
  status,
  headers: { "Content-Type": "application/problem+json", ...headers },
  body: { code, title: code, status, ...more },
});
const openHub = (url: string, options = {}) => new GenerationHub({ baseUrl: url, apiKey: "service_sk_x", ...options });
const input = { prompt: "x" };

test("waits as long as Retry-After asks, and sends the same idempotency key and body", async () => {
  const { url, requests } = await startScriptedServer([problem(429, "rate_limited", { "Retry-After": "1" }), null, ok]);
  const generation = await openHub(url).run("m", input);
  expect(generation.billed_cost).toBe("0.0092");
  expect(requests[1]!.at - requests[0]!.at).toBeGreaterThanOrEqual(990);
  expect(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(requests[0]!.headers["idempotency-key"]).toMatch(/^[\w-]{36}$/);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
});

test.each([
  ["that asks for a longer wait than the program accepts", problem(429, "rate_limited", { "Retry-After": "3600" })],
  ["that must not be repeated", problem(503, "provider_error", { "x-should-retry": "false" })],
  ["of the request itself", problem(402, "insufficient_credits")],
])("does not repeat after an error %s", async (_, answer) => {
  const { url, requests } = await startScriptedServer([answer]);
  await expect(openHub(url).create("m", input)).rejects.toBeInstanceOf(ApiError);
  expect(requests).toHaveLength(1);
});

test("gives up after maxRetries, with the last error", async () => {
  const limited = await startScriptedServer([problem(429, "rate_limited", { "Retry-After": "0" })]);
  const error: unknown = await openHub(limited.url, { maxRetries: 2 }).account().catch((reason: unknown) => reason); // prettier-ignore
  expect(error).toBeInstanceOf(RateLimitedError);
  expect(limited.requests).toHaveLength(3);
  const closed = await startScriptedServer([null]);
  await expect(openHub(closed.url, { maxRetries: 0 }).account()).rejects.toBeInstanceOf(ConnectionError);
});

test("repeats a request whose response was cut off", async () => {
  const { url, requests } = await startScriptedServer([cut, ok]);
  expect((await openHub(url).run("m", input)).id).toBe("g1");
  expect(requests).toHaveLength(2);
});

test("repeats a download that was cut off, and throws the client's own error", async () => {
  const picture = Buffer.from([0xff, 0xd8, 0x00, 0x80]);
  const file = (after: "end" | "cut"): Answer => ({
    status: 200,
    headers: { "Content-Type": "image/jpeg" },
    parts: [picture],
    after,
  });
  const { url, requests } = await startScriptedServer([file("cut"), file("end")]);
  const blob = await openHub(url).download("/api/v1/hub/files/f1");
  expect([blob.type, Buffer.from(await blob.arrayBuffer())]).toEqual(["image/jpeg", picture]);
  expect(requests).toHaveLength(2);
  const broken = await startScriptedServer([file("cut")]);
  const failing = openHub(broken.url, { maxRetries: 0 }).download("/api/v1/hub/files/f1");
  await expect(failing).rejects.toBeInstanceOf(ConnectionError);
});

test("the longest wait of a call does not limit its uploads", async () => {
  const { url, requests } = await startScriptedServer([{ status: 201, body: { sha256: "5e" } }, ok]);
  await openHub(url).run("m", { file: new Uint8Array([1]) }, { timeoutMs: Infinity });
  expect(requests.map(({ path }) => path)).toEqual(["/api/v1/hub/files", "/api/v1/hub/generations"]);
  expect(JSON.parse(requests[1]!.body)).toMatchObject({ input: { file: "sha256:5e" } });
});

test("finds the generation of an earlier attempt whose response was lost", async () => {
  const { url, requests } = await startScriptedServer([
    null,
    problem(503, "generation_in_progress", { "Retry-After": "1" }, { generation_id: "g1" }),
    { status: 200, body: queued },
  ]);
  expect((await openHub(url).run("m", input)).id).toBe("g1");
  expect(requests.map(({ method, path }) => `${method} ${path}`).at(-1)).toBe("GET /api/v1/hub/generations/g1");
});

test("a request without an idempotency key that could be done twice is sent once", async () => {
  const { url, requests } = await startScriptedServer([problem(500, "internal_error")]);
  await expect(openHub(url).request("POST", "/api/v1/hub/webhooks", {})).rejects.toThrow();
  expect(requests).toHaveLength(1);
});

test("the AI SDK repeats a chat under one idempotency key, and never what may have been charged", async () => {
  const inProgress = problem(503, "generation_in_progress", { "Retry-After": "0" });
  const choice = { index: 0, message: { role: "assistant", content: "light" }, finish_reason: "stop" };
  const done = { status: 200, body: { id: "c", created: 1, model: "m", choices: [choice], usage: {} } };
  const first = await startScriptedServer([null, inProgress, inProgress, done]);
  const options = { apiKey: "service_sk_x", maxRetries: 1 };
  const { text } = await generateText({
    model: createGenerationHub({ baseUrl: first.url, ...options })("m"),
    prompt: "x",
  });
  expect(text).toBe("light");
  expect(new Set(first.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(first.requests[0]!.path).toBe("/v1/chat/completions");
  const second = await startScriptedServer([problem(500, "internal_error", { "Retry-After": "0" })]);
  const model = createGenerationHub({ baseUrl: second.url, ...options })("m");
  await expect(generateText({ model, prompt: "x" })).rejects.toBeInstanceOf(ApiError);
  expect(new Set(second.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(second.requests).toHaveLength(2);
});

const secret = newWebhookSecret();
const body = '{"id":"1","event":"generation.completed","data":{"billed_cost":0.0092,"input":{"prompt":"grüß 🌲"}}}';
const sign = (secrets: string[], ageSeconds = 0) => {
  const at = new Date(Date.now() - ageSeconds * 1000);
  return signatureHeaders(secrets, { id: "1", event: "generation.completed", body, at });
};
const without = (headers: Record<string, string>, pattern: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)));
const now = String(Math.floor(Date.now() / 1000));
/** Returns messages that are signed now: some of them are only ten seconds from being too old, or recent enough. */
const signMessages = (): [string, Record<string, string>, string, boolean][] => [
  ["genuine", sign([secret]), body, true],
  ["signed with the previous secret as well", sign([newWebhookSecret(), secret]), body, true],
  ["of another secret", sign([newWebhookSecret()]), body, false],
  ["changed", sign([secret]), body.replace("0.0092", "0.0093"), false],
  ["unsigned", {}, body, false],
  ["signed with something else", { ...sign([secret]), "webhook-signature": "v1,grüß v2,AAAA" }, body, false],
  ["signed within five minutes", sign([secret], 290), body, true],
  ["replayed after more than five minutes", sign([secret], 310), body, false],
  ["of a time to come", sign([secret], -310), body, false],
  ["replayed under the present time", { ...sign([secret], 310), "webhook-timestamp": now }, body, false],
  ["replayed under another id", { ...sign([secret]), "webhook-id": "2" }, body, false],
  ["signed without a time", without(sign([secret]), /^webhook-/), body, false],
  ["signed in the form of Standard Webhooks alone", without(sign([secret]), /^X-Service-/), body, true],
];

test.each(signMessages().map(([name], index) => [name, index] as const))(
  "verifies a webhook that is %s",
  async (_, index) => {
    const [, headers, text, isGenuine] = signMessages()[index]!;
    const given = [text, new TextEncoder().encode(text)];
    for (const raw of given) {
      const verified = verifyWebhook({ secret, headers, body: raw });
      if (isGenuine) expect((await verified).data.billed_cost).toBe("0.0092");
      else await expect(verified).rejects.toBeInstanceOf(WebhookVerificationError);
    }
  },
);

test("accepts an older webhook for who allows it, and rejects a secret that is none", async () => {
  const message = { headers: sign([secret], 3_600), body };
  expect(await verifyWebhook({ ...message, secret, toleranceSeconds: 7_200 })).toMatchObject({ id: "1" });
  const unusual = ["", "whsec_", "whsec_%"].map((text) => verifyWebhook({ ...message, secret: text }));
  for (const rejected of unusual) await expect(rejected).rejects.toBeInstanceOf(WebhookVerificationError);
});

const { python, missing } = await findPython();
if (missing) process.stdout.write(`skipped, webhooks and retries of the Python client: ${missing}\n`);

test.skipIf(missing)("the Python client verifies the same webhooks and repeats the same requests", async () => {
  const limited = [problem(429, "rate_limited", { "Retry-After": "0" }), null, cut, ok];
  const repeated = await startScriptedServer(limited);
  const lost = problem(503, "generation_in_progress", {}, { generation_id: "g1" });
  const found = await startScriptedServer([null, lost, { status: 200, body: queued }]);
  const final = await startScriptedServer([problem(503, "provider_error", { "x-should-retry": "false" })]);
  const code = `
import json, sys
from generation_hub import ApiError, GenerationHub, WebhookVerificationError, verify_webhook
data = json.loads(sys.argv[1])
def is_genuine(headers, body):
    try:
        return verify_webhook(data["secret"], headers, body.encode())["data"]["billed_cost"] == "0.0092"
    except WebhookVerificationError:
        return False
run = lambda url: GenerationHub(url, "service_sk_x").run("m", {"prompt": "x"})
costs = [run(url)["billed_cost"] for url in data["urls"]]
try:
    run(data["final"])
except ApiError as error:
    costs.append(error.code)
print(json.dumps([costs, [is_genuine(headers, body) for _, headers, body, _ in data["messages"]]]))`;
  const messages = signMessages();
  const data = JSON.stringify({ secret, messages, urls: [repeated.url, found.url], final: final.url });
  const output = await runOrThrow(python, ["-c", code, data], {
    env: { PYTHONPATH: "clients/python/src", PYTHONDONTWRITEBYTECODE: "1" },
  });
  const genuine = messages.map(([, , , isGenuine]) => isGenuine);
  expect(JSON.parse(output)).toEqual([["0.0092", "0.0092", "provider_error"], genuine]);
  const keys = repeated.requests.map(({ headers }) => headers["idempotency-key"]);
  expect([keys.length, new Set(keys).size, final.requests.length]).toEqual([4, 1, 1]);
});
