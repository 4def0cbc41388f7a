import { Readable } from "node:stream";
import { streamText } from "ai";
import { expect, test, vi } from "vitest";
import { createGenerationHub } from "../../clients/typescript/src/ai-sdk";
import {
  ApiError,
  ConnectionError,
  type Fetch,
  GenerationHub,
  InsufficientCreditsError,
} from "../../clients/typescript/src/index";
import { findPython } from "./python-environment";
import { runOrThrow } from "./run-program";
import { type Answer, startScriptedServer } from "./scripted-server";

const event = (data: unknown, name = "") =>
  Buffer.from(`${name && `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
const chunk = (content: string, more = {}) =>
  event({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content } }], ...more }); // prettier-ignore
const last = chunk("", { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: 1e-7 } });
const done = Buffer.from("data: [DONE]\n\n");
const stream = (parts: Buffer[], after: "end" | "cut" | "open" = "end"): Answer => ({ status: 200, parts, after });

/** Splits bytes so that no part ends where a character, a line or an event does. */
const inPieces = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) => bytes.subarray(index * 7, index * 7 + 7));

const whole = [chunk("grüß"), Buffer.from(": still here\n\n"), chunk(" 🌲\u2028"), last, done];
const failure = event(
  {
    error: {
      message: "full",
      type: "server_error",
      code: "provider_error",
      metadata: { errors: { model: ["is full"] } },
    },
  },
  "error",
);
const inProgress = {
  status: 503,
  headers: { "Retry-After": "0" },
  body: { error: { code: "generation_in_progress" } },
};
const rejection = (status: number, code: string, metadata: object) => ({
  status,
  body: { error: { message: "no", code, metadata } },
});
const poor = rejection(402, "insufficient_credits", { required: 0.5, available: 0.1 });
const invalid = rejection(400, "invalid_input", { errors: { "messages.0.content": ["is missing"] } });

/**
 * What a program gets: the text, the cost of the last chunk, the kind and code of its error with what it names, and how
 * often it asked.
 */
type Outcome = [text: string, cost: string | null, error: string | null, requests: number];

const scenarios: [string, Answer[], Outcome][] = [
  ["passes chunks on, with the usage of the last one", [stream(whole)], ["grüß 🌲\u2028", "0.0000001", null, 1]],
  ["reads chunks in pieces of any size", [stream(inPieces(Buffer.concat(whole)))], ["grüß 🌲\u2028", "0.0000001", null, 1]],
  ["repeats what failed before the first chunk, under one key", [null, inProgress, stream(whole)], ["grüß 🌲\u2028", "0.0000001", null, 3]],
  ["throws an error that comes later", [stream([chunk("a"), failure])], ["a", null, "provider_error model", 1]],
  ["throws for a stream that is cut off", [stream([chunk("a")], "cut")], ["a", null, "lost", 1]],
  ["throws for a stream that ends before the chat does", [stream([chunk("a"), last])], ["a", "0.0000001", "lost", 1]],
  ["throws the error of a chat that is rejected", [poor], ["", null, "insufficient_credits 0.5 0.1", 1]],
  ["throws the places of a chat that is invalid", [invalid], ["", null, "invalid_input messages.0.content", 1]],
]; // prettier-ignore

const describeError = (error: ApiError): string => {
  const amounts = error instanceof InsufficientCreditsError ? [error.required, error.available] : [];
  return [error.code, ...amounts, ...Object.keys(error.errors)].join(" ");
};

const body = { model: "m", messages: [{ role: "user", content: "x" }] };

test.each(scenarios)("%s", async (_, answers, outcome) => {
  const { url, requests } = await startScriptedServer(answers);
  let text = "";
  let cost: string | null = null;
  let error: string | null = null;
  try {
    for await (const { choices, usage } of new GenerationHub({ baseUrl: url, apiKey: "service_sk_x" }).streamChat(
      body,
    )) {
      text += choices[0]?.delta.content ?? "";
      cost = usage?.cost ?? cost;
    }
  } catch (thrown) {
    if (!(thrown instanceof ApiError) && !(thrown instanceof ConnectionError)) throw thrown;
    error = thrown instanceof ApiError ? describeError(thrown) : "lost";
  }
  expect([text, cost, error, requests.length]).toEqual(outcome);
  expect(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(requests[0]!.path).toBe("/v1/chat/completions");
  expect(JSON.parse(requests[0]!.body)).toEqual({ ...body, stream: true });
});

test("reads responses where a library for servers has replaced their class", async () => {
  const { url } = await startScriptedServer([stream(whole)]);
  vi.stubGlobal("Response", class {});
  try {
    for await (const { id } of new GenerationHub({ baseUrl: url, apiKey: "service_sk_x" }).streamChat(body))
      expect(id).toBe("c");
  } finally {
    vi.unstubAllGlobals();
  }
});

/** Responds at once with a stream whose rest comes after the time limit of the request. */
const fetchSlowly: Fetch = (_, init) => {
  const read = async function* () {
    yield chunk("a");
    // Timers of the same length run in the order in which they were set.
    await new Promise((resolve) => setTimeout(resolve, LIMIT_MS));
    init!.signal!.throwIfAborted();
    yield Buffer.concat([chunk("b"), chunk("", { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }), done]);
  };
  const content = Readable.toWeb(Readable.from(read())) as ReadableStream<Uint8Array>;
  return Promise.resolve(new Response(content, { headers: { "Content-Type": "text/event-stream" } }));
};
const LIMIT_MS = 1;
const slow = {
  baseUrl: "http://hub.test",
  apiKey: "service_sk_x",
  timeoutMs: LIMIT_MS,
  maxRetries: 0,
  fetch: fetchSlowly,
};

test("a stream may take longer than the time limit of a request, also in the AI SDK", async () => {
  let text = "";
  for await (const { choices } of new GenerationHub(slow).streamChat(body)) text += choices[0]!.delta.content ?? "";
  expect(text).toBe("ab");
  expect(await streamText({ model: createGenerationHub(slow)("m"), prompt: "x" }).text).toBe("ab");
});

test("a program that leaves the loop closes the connection", async () => {
  const { url, left } = await startScriptedServer([stream([chunk("a"), chunk("b")], "open")]);
  for await (const { choices } of new GenerationHub({ baseUrl: url, apiKey: "service_sk_x" }).streamChat(body)) {
    expect(choices[0]!.delta.content).toBe("a");
    break;
  }
  await left;
});

test("a signal ends a stream that says nothing", async () => {
  const { url, left } = await startScriptedServer([stream([chunk("a")], "open")]);
  const controller = new AbortController();
  const hub = new GenerationHub({ baseUrl: url, apiKey: "service_sk_x" });
  const read = async () => {
    for await (const { id } of hub.streamChat(body, { signal: controller.signal })) controller.abort(id);
  };
  await expect(read()).rejects.toBe("c");
  await left;
});

const { python, missing } = await findPython();
if (missing) process.stdout.write(`skipped, streamed chats of the Python client: ${missing}\n`);

test.skipIf(missing)("the Python client streams the same, with blocking and awaited calls", async () => {
  const twice = await Promise.all(
    [0, 1].map(() => Promise.all(scenarios.map(([, answers]) => startScriptedServer(answers)))),
  );
  const open = await startScriptedServer([stream([chunk("a")], "open")]);
  const code = `
import asyncio, json, sys
from generation_hub import ApiError, AsyncGenerationHub, ConnectionFailedError, GenerationHub, InsufficientCreditsError
body, blocking, awaited, open_url = json.loads(sys.argv[1])

class Outcome:
    text, cost, error = "", None, None
    def add(self, chunk):
        self.text += (chunk["choices"][0]["delta"].get("content") or "") if chunk["choices"] else ""
        self.cost = chunk["usage"]["cost"] if chunk.get("usage") else self.cost
    def fail(self, error):
        named = [error.required, error.available] if isinstance(error, InsufficientCreditsError) else []
        self.error = " ".join([error.code, *named, *error.errors]) if isinstance(error, ApiError) else "lost"

def read(url):
    outcome = Outcome()
    try:
        for chunk in GenerationHub(url, "service_sk_x").stream_chat(body):
            outcome.add(chunk)
    except (ApiError, ConnectionFailedError) as error:
        outcome.fail(error)
    return outcome

async def read_awaited(url):
    outcome = Outcome()
    try:
        async with AsyncGenerationHub(url, "service_sk_x") as hub:
            async for chunk in hub.stream_chat(body):
                outcome.add(chunk)
    except (ApiError, ConnectionFailedError) as error:
        outcome.fail(error)
    return outcome

async def read_all():
    return [await read_awaited(url) for url in awaited]

stream = GenerationHub(open_url, "service_sk_x").stream_chat(body)
next(stream)
stream.close()
outcomes = [[read(url) for url in blocking], asyncio.run(read_all())]
print(json.dumps([[[one.text, one.cost, one.error] for one in some] for some in outcomes]))`;
  const urls = twice.map((servers) => servers.map(({ url }) => url));
  const output = await runOrThrow(python, ["-c", code, JSON.stringify([body, ...urls, open.url])], {
    env: { PYTHONPATH: "clients/python/src", PYTHONDONTWRITEBYTECODE: "1" },
  });
  await open.left;
  const wanted = scenarios.map(([, , outcome]) => outcome);
  expect(JSON.parse(output)).toEqual([0, 1].map(() => wanted.map((outcome) => outcome.slice(0, 3))));
  for (const servers of twice)
    expect(servers.map(({ requests }) => requests.length)).toEqual(wanted.map((outcome) => outcome[3]));
});
