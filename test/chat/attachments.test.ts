import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseCatalogue } from "../../server/catalogue/parse";
import { drainChats } from "../../server/domain/chat";
import { newId } from "../../server/lib/id";
import { type Customer, newCustomer } from "../api/customer";
import { catalogueWith } from "../catalogue";
import { hashOf, insertFile } from "../insert-file";
import { API_KEY, openDouble } from "../providers/anthropic/double";
import { serveRequests } from "../serve-requests";
import { auditAfterChats, openChatHost, userMessages } from "./host";
import { completeWith, respondWith } from "./upstream";

type Json = Record<string, unknown>;

const wavOf = (seconds: number) => {
  const rate = 8_000;
  const wav = Buffer.alloc(44 + seconds * rate * 2);
  wav.write("RIFF....WAVEfmt ", "latin1");
  wav.writeUInt32LE(16, 16);
  for (const [at, value] of [1, 1].entries()) wav.writeUInt16LE(value, 20 + 2 * at);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  return wav;
};
const contents: Record<string, { bytes: Buffer; mediaType: string; name: string }> = {
  pdf: { bytes: Buffer.from("%PDF-1.7\n\xff\x80 one page", "latin1"), mediaType: "application/pdf", name: "bill.pdf" },
  text: { bytes: Buffer.from('Grüße,\n"Tom"'), mediaType: "text/plain", name: "notes.txt" },
  wav: { bytes: wavOf(2), mediaType: "audio/wav", name: "hello.wav" },
};
const base64 = (kind: string) => contents[kind]!.bytes.toString("base64");
const dataUrl = (kind: string) => `data:${contents[kind]!.mediaType};base64,${base64(kind)}`;

const fetched: string[] = [];
let onHang = () => undefined as void;
const site = await serveRequests((request, response) => {
  const name = request.url!.slice(1).split("?")[0]!;
  fetched.push(name);
  if (name === "large") return void response.writeHead(200, { "content-length": String(33 * 2 ** 20) }).write("a");
  if (name === "hang") return onHang();
  if (name === "novel") return void response.end("a".repeat(4 * 2 ** 20 + 1));
  const bytes = name === "binary" ? Buffer.from([0x50, 0x4b, 3, 4, 0xff]) : contents[name]?.bytes;
  response.writeHead(bytes ? 200 : 404).end(bytes);
});
const host = await openChatHost({ OUTBOUND_ALLOW_HOSTS: new URL(site).host });
const { hub, upstream } = host;
const double = await openDouble();
afterAll(() => double.close());

const LIMITS = "context_length: 100000, max_output_tokens: 1000";
const MODELS = `
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, audio_input_cost_per_million: 32, image_input_cost_per_million: 4, ${LIMITS} }
    input_modalities: [text, file, audio]
    routes: [{ provider: up, upstream_model: gpt-up }]
  - id: plain
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, audio_input_cost_per_million: 32, ${LIMITS} }
    routes: [{ provider: up, upstream_model: gpt-up }]
  - id: boundless
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, max_output_tokens: 1000 }
    input_modalities: [text, file]
    routes: [{ provider: up, upstream_model: gpt-up }]
  - id: native
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, ${LIMITS} }
    input_modalities: [text, file]
    routes: [{ provider: up, upstream_model: gpt-up, responses: true }]
`;

let customer: Customer;
const own: Record<string, string> = {};
beforeAll(async () => {
  host.setModels(MODELS);
  const { models } = parseCatalogue(
    `providers: [{ id: claude, kind: anthropic, base_url: "${double.url}", api_key: "${API_KEY}" }]
models:
  - id: opus
    llm: { input_cost_per_million: 4, output_cost_per_million: 20, cache_write_cost_per_million: 5,
      audio_input_cost_per_million: 32, ${LIMITS} }
    input_modalities: [text, file, audio]
    routes: [{ provider: claude, upstream_model: claude-opus-5-5 }]`,
    { file: "test", variables: {} },
  );
  hub.catalogue = new Map([...hub.catalogue, ...catalogueWith(models)]);
  customer = await newCustomer(hub, { credit: 100 });
  for (const [kind, { bytes, mediaType }] of Object.entries(contents))
    own[kind] = await insertFile(hub, customer.account, bytes, { mediaType });
});
auditAfterChats(hub);

/** The ways to name a content, besides data: the member of a `file` part, and its value. */
const ways: Record<string, (kind: string) => { member: "file_url" | "file_id"; value: string }> = {
  "an external URL": (kind) => ({ member: "file_url", value: `${site}/${kind}` }),
  "a URL of the hub": (kind) => ({ member: "file_url", value: `https://hub.test/api/v1/hub/files/${own[kind]}` }),
  "its hash": (kind) => ({ member: "file_url", value: `sha256:${hashOf(contents[kind]!.bytes)}` }),
  "its id": (kind) => ({ member: "file_id", value: own[kind]! }),
};
type Way = { member: "file_data" | "file_url" | "file_id"; value: string };
const wayOf = (name: string, kind: string): Way =>
  name === "data" ? { member: "file_data", value: dataUrl(kind) } : ways[name]!(kind);

const toAudio = ({ member, value }: Way): Json =>
  member === "file_id" ? { file_id: value, format: "wav" } : { data: value.replace(/^data:.*,/, ""), format: "wav" };

/** The façades, each with its path and its request that has a part for a content. */
const facades: Record<string, { path: string; place: string; request: (kind: string, way: Way) => Json }> = {
  chat: {
    path: "/v1/chat/completions",
    place: "messages.0.content.1",
    request(kind, way) {
      const file = { filename: contents[kind]!.name, [way.member]: way.value };
      const part = kind === "wav" ? { type: "input_audio", input_audio: toAudio(way) } : { type: "file", file };
      return { messages: userMessages([{ type: "text", text: "What is it?" }, part]), max_tokens: 1_000 };
    },
  },
  responses: {
    path: "/v1/responses",
    place: "input.0.content.1",
    request(kind, way) {
      const file = { type: "input_file", filename: contents[kind]!.name, [way.member]: way.value };
      const part = kind === "wav" ? { type: "input_audio", input_audio: toAudio(way) } : file;
      const content = [{ type: "input_text", text: "What is it?" }, part];
      return { input: [{ role: "user", content }], max_output_tokens: 1_000 };
    },
  },
  messages: {
    path: "/v1/messages",
    place: "messages.0.content.1",
    request(kind, { member, value }) {
      const { mediaType, name } = contents[kind]!;
      const data = { type: "base64", media_type: mediaType, data: base64(kind) };
      const named = member === "file_id" ? { type: "file", file_id: value } : { type: "url", url: value };
      const document = { type: "document", title: name, source: member === "file_data" ? data : named };
      return { messages: userMessages([{ type: "text", text: "What is it?" }, document]), max_tokens: 1_000 };
    },
  },
};

async function send(facade: string, model: string, body: Json) {
  const response = await fetch(host.url + facades[facade]!.path, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, ...body }),
  });
  const text = await response.text();
  return { status: response.status, body: (text.startsWith("{") ? JSON.parse(text) : {}) as Json };
}
const ask = (facade: string, model: string, kind: string, way: Way) =>
  send(facade, model, facades[facade]!.request(kind, way));
const messageOf = (body: Json) => (body.error as { message: string }).message;
const lastParts = () => upstream.requests.at(-1)!.body.messages.at(-1)!.content as Json[];
const lastBlocks = () => (double.received.at(-1)!.body.messages as { content: Json[] }[]).at(-1)!.content;
const findLast = async () =>
  (
    await hub.db.query<{ status: string; estimated_cost: bigint; billed_cost: bigint | null; input: unknown }>(
      "SELECT status, estimated_cost, billed_cost, input FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1",
      [customer.account],
    )
  )[0];

const textOf = (kind: string) => `${contents[kind]!.name}:\n\n${contents[kind]!.bytes.toString()}`;
const chatParts: Record<string, () => Json> = {
  pdf: () => ({ type: "file", file: { filename: "bill.pdf", file_data: dataUrl("pdf") } }),
  text: () => ({ type: "text", text: textOf("text") }),
  wav: () => ({ type: "input_audio", input_audio: { data: base64("wav"), format: "wav" } }),
};

const names = ["data", ...Object.keys(ways)];
const cases = Object.keys(facades).flatMap((facade) =>
  Object.keys(contents)
    .filter((kind) => facade !== "messages" || kind !== "wav")
    .flatMap((kind) => names.map((name) => [facade, kind, name] as const)),
);

test.each(cases)("a client of %s sends a %s by %s to a provider of chats", async (facade, kind, name) => {
  const { status } = await ask(facade, "talk", kind, wayOf(name, kind));
  expect(status).toBe(200);
  const last = lastParts();
  const text = `What is it?\n\n${textOf("text")}`;
  // A message with only text may be a single text.
  if (typeof last === "string") expect(last).toBe(text);
  else expect(last[1]).toEqual(chatParts[kind]!());
  const { status: stored, input } = (await findLast())!;
  expect(stored).toBe("succeeded");
  if (name !== "data") expect(JSON.stringify(input)).not.toContain(base64(kind).slice(0, 40));
});

describe("a provider of Messages", () => {
  const pdf = () => ({ type: "base64", media_type: "application/pdf", data: base64("pdf") });

  test.each(["chat", "responses"].flatMap((facade) => names.map((name) => [facade, name] as const)))(
    "gets documents of a client of %s, by %s",
    async (facade, name) => {
      expect((await ask(facade, "opus", "pdf", wayOf(name, "pdf"))).status).toBe(200);
      expect(lastBlocks()[1]).toEqual({ type: "document", source: pdf(), title: "bill.pdf" });
      expect((await ask(facade, "opus", "text", wayOf(name, "text"))).status).toBe(200);
      expect(lastBlocks()[1]).toEqual({ type: "text", text: textOf("text") });
    },
  );

  test.each(Object.keys(ways))("gets a client's own files by %s in its request of Messages", async (name) => {
    const isExternal = name === "an external URL";
    const way = wayOf(name, "pdf");
    expect((await ask("messages", "opus", "pdf", way)).status).toBe(200);
    const source = isExternal ? { type: "url", url: way.value } : pdf();
    expect(lastBlocks()[1]).toEqual({ type: "document", title: "bill.pdf", source });
    if (isExternal) return;
    expect((await ask("messages", "opus", "text", wayOf(name, "text"))).status).toBe(200);
    expect(lastBlocks()[1]!.source).toEqual({
      type: "text",
      media_type: "text/plain",
      data: contents.text!.bytes.toString(),
    });
  });

  test("cannot get recordings", async () => {
    const { status, body } = await ask("chat", "opus", "wav", wayOf("data", "wav"));
    expect(status).toBe(400);
    expect(messageOf(body)).toContain("messages.0.content.1");
  });
});

test.each(Object.keys(ways))("a provider of Responses gets a client's own files by %s", async (name) => {
  upstream.respondNext(
    respondWith(200, {
      id: "resp_up",
      object: "response",
      status: "completed",
      output: [{ id: "msg_up", type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] }],
      usage: { input_tokens: 20, output_tokens: 5, total_tokens: 25 },
    }),
  );
  const way = wayOf(name, "pdf");
  expect((await ask("responses", "native", "pdf", way)).status).toBe(200);
  const { input } = upstream.requests.at(-1)!.body as unknown as { input: { content: Json[] }[] };
  const file = name === "an external URL" ? { file_url: way.value } : { file_data: dataUrl("pdf") };
  expect(input[0]!.content[1]).toEqual({ type: "input_file", filename: "bill.pdf", ...file });
});

describe("a model that does not take a medium", () => {
  const places = cases.filter(([, kind]) => kind !== "text");

  test.each(places)("rejects a client of %s with a %s by %s", async (facade, kind, name) => {
    const before = upstream.requests.length;
    const { status, body } = await ask(facade, "plain", kind, wayOf(name, kind));
    expect(status).toBe(400);
    expect(messageOf(body)).toContain(facades[facade]!.place);
    expect(messageOf(body)).toMatch(/does not support (files other than text|audio), only text/);
    expect(upstream.requests).toHaveLength(before);
  });

  test.each(Object.keys(facades))("takes a client of %s with a text file", async (facade) => {
    for (const name of names) expect((await ask(facade, "plain", "text", wayOf(name, "text"))).status).toBe(200);
  });
});

test("a model without a context length takes files whose tokens are known", async () => {
  for (const name of ["data", "its id", "its hash"])
    expect((await ask("chat", "boundless", "text", wayOf(name, "text"))).status).toBe(200);
  for (const [kind, name] of [
    ["pdf", "its id"],
    ["pdf", "data"],
    ["text", "an external URL"],
  ] as const) {
    const { status, body } = await ask("chat", "boundless", kind, wayOf(name, kind));
    expect(status).toBe(400);
    expect(messageOf(body)).toContain("messages.0.content.1");
  }
});

test.each(Object.keys(facades))(
  "a client of %s cannot tell another account's file from a missing one",
  async (facade) => {
    const other = await newCustomer(hub);
    const secret = Buffer.from("%PDF-1.7 secret");
    const id = await insertFile(hub, other.account, secret, { mediaType: "application/pdf" });
    const missing = newId();
    const place = (id: string) => `https://hub.test/api/v1/hub/files/${id}`;
    const pairs: [Way, Way][] = [
      [
        { member: "file_id", value: id },
        { member: "file_id", value: missing },
      ],
      [
        { member: "file_id", value: id },
        { member: "file_id", value: "file-abc" },
      ],
      [
        { member: "file_url", value: place(id) },
        { member: "file_url", value: place(missing) },
      ],
      [
        { member: "file_url", value: `sha256:${hashOf(secret)}` },
        { member: "file_url", value: `sha256:${"0".repeat(64)}` },
      ],
    ];
    for (const [foreign, absent] of pairs) {
      const replies = [await ask(facade, "talk", "pdf", foreign), await ask(facade, "talk", "pdf", absent)];
      expect(replies.map(({ status }) => status)).toEqual([400, 400]);
      expect(messageOf(replies[0]!.body)).toBe(messageOf(replies[1]!.body));
      expect(messageOf(replies[0]!.body)).toContain("names no file of this account");
    }
  },
);

const file = (value: Json) => ({ type: "file", file: value });
const audio = (value: Json) => ({ type: "input_audio", input_audio: value });
const askParts = (...parts: unknown[]) => send("chat", "talk", { messages: userMessages(parts) });

test.each([
  ["base64 with a space", file({ file_data: "JVBE Ri0=" }), "must be base64"],
  ["base64 of impossible length", file({ file_data: "JVBERi0xL" }), "must be base64"],
  ["padding alone", file({ file_data: "==" }), "must be base64"],
  ["a data URL without base64", file({ file_data: "data:application/pdf,x" }), "must have one of"],
  ["an endless data URL", file({ file_data: `data:${"x".repeat(5_000)}` }), "must have one of"],
  ["no content", file({ filename: "a.pdf" }), "must have one of"],
  ["two contents", file({ file_data: "JVBERi0=", file_id: newId() }), "must have one of"],
  ["a number", file({ file_data: 7 }), "must have one of"],
  ["a list", { type: "file", file: [] }, "must have one of"],
  ["null", { type: "input_audio", input_audio: null }, "must have one of"],
  ["a URL of another scheme", file({ file_url: "ftp://site.example/a.pdf" }), "must have one of"],
  ["a private address", file({ file_url: "http://10.1.2.3/a.pdf" }), "messages.0.content.0.file"],
  [
    "a recording at the metadata service",
    audio({ data: "http://169.254.169.254/a" }),
    "messages.0.content.0.input_audio",
  ],
  ["a recording that is no base64", audio({ data: "%%%%", format: "wav" }), "must be base64"],
  ["a recording without a format", audio({ data: "AAAA" }), "must have a format"],
  [
    "data that is neither PDF nor text",
    file({ file_data: Buffer.from([0x50, 0xff]).toString("base64") }),
    "is neither",
  ],
])("rejects %s with 400 and its place", async (_what, part, problem) => {
  const before = upstream.requests.length;
  const { status, body } = await askParts(part);
  expect(status).toBe(400);
  expect(messageOf(body)).toContain("messages.0.content.0");
  expect(messageOf(body)).toContain(problem);
  expect(upstream.requests).toHaveLength(before);
});

test.each([
  ["large", "is larger than"],
  ["novel", "text of more than"],
  ["binary", "neither a PDF nor text"],
  ["missing", "404"],
])("rejects a URL with %s content, and charges nothing", async (name, problem) => {
  const { status, body } = await askParts(file({ file_url: `${site}/${name}` }));
  expect([status, messageOf(body)]).toEqual([400, expect.stringContaining("messages.0.content.0.file")]);
  expect(messageOf(body)).toContain(problem);
  expect(await findLast()).toMatchObject({ status: "failed", billed_cost: 0n });
});

test("rejects what is of another type than its part says", async () => {
  const parts = [
    audio({ file_id: own.pdf, format: "wav" }),
    file({ file_id: own.wav }),
    audio({ data: `${site}/pdf`, format: "wav" }),
  ];
  for (const part of parts) expect((await askParts(part)).status).toBe(400);
});

test("bounds the number of URLs and files", async () => {
  const before = fetched.length;
  const urls = Array.from({ length: 11 }, (_, n) => file({ file_url: `${site}/text?${n}` }));
  expect(messageOf((await askParts(...urls)).body)).toContain("messages.0.content.10.file");
  const ids = Array.from({ length: 101 }, () => file({ file_id: own.text }));
  expect((await askParts(...ids)).status).toBe(400);
  const novel = await insertFile(hub, customer.account, "a".repeat(3 * 2 ** 20), { mediaType: "text/plain" });
  const novels = [file({ file_id: novel }), file({ file_id: novel })];
  expect(messageOf((await askParts(...novels)).body)).toContain("text files of at most 4194304 bytes");
  expect(fetched).toHaveLength(before);
});

test("fetches a file once that a conversation names in many messages", async () => {
  const before = fetched.length;
  const part = file({ file_url: `${site}/pdf` });
  expect((await askParts(...Array.from({ length: 11 }, () => part))).status).toBe(200);
  expect(fetched).toHaveLength(before + 1);
  expect(lastParts().map(({ file: sent }) => (sent as Json).file_data)).toEqual(Array(11).fill(dataUrl("pdf")));
});

test("a hub that stops while it fetches a file ends the chat without a charge", async () => {
  const isAsked = new Promise<void>((resolve) => (onHang = resolve));
  const reply = askParts(file({ file_url: `${site}/hang` }));
  await isAsked;
  await drainChats(hub, 0);
  expect((await reply).status).toBe(503);
  expect(await findLast()).toMatchObject({ status: "failed", billed_cost: 0n });
});

test("brings data into the form that providers know", async () => {
  await askParts(file({ file_data: base64("pdf") }), audio({ data: dataUrl("wav"), format: "wav" }));
  expect(lastParts()).toEqual([
    { type: "file", file: { filename: "document.pdf", file_data: dataUrl("pdf") } },
    chatParts.wav!(),
  ]);
});

test("streams an answer about a file, and rejects a missing one before the stream", async () => {
  const stream = (id: string) =>
    send("chat", "talk", { messages: userMessages([file({ file_id: id })]), stream: true });
  expect((await stream(newId())).status).toBe(400);
  upstream.respondNext((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = { choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }], usage };
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  await stream(own.pdf!);
  expect(lastParts()[0]).toMatchObject({ type: "file", file: { file_data: dataUrl("pdf") } });
  await expect.poll(async () => (await findLast())!.status).toBe("succeeded");
});

const usage = {
  prompt_tokens: 100,
  completion_tokens: 10,
  total_tokens: 110,
  prompt_tokens_details: { audio_tokens: 60, image_tokens: 10 },
};

describe("the hold", () => {
  /** Returns the hold and the charge of a chat with a part, in nano-euros. */
  const price = async (part: Json) => {
    upstream.respondNext(completeWith({ usage }));
    const { status } = await send("chat", "talk", { messages: userMessages([part]), max_tokens: 1_000 });
    expect(status).toBe(200);
    const { estimated_cost, billed_cost } = (await findLast())!;
    return { hold: Number(estimated_cost), charge: Number(billed_cost) };
  };
  const OUTPUT = 1_000 * 2_000;
  const CONTEXT = 100_000;

  test("covers the context for a PDF, by the price of pictures, and the charge is by class", async () => {
    for (const part of [
      file({ file_id: own.pdf }),
      file({ file_data: dataUrl("pdf") }),
      file({ file_url: `${site}/pdf` }),
    ])
      expect((await price(part)).hold).toBe(CONTEXT * 4_000 + OUTPUT);
    // 30 plain tokens, 60 of audio, 10 of pictures, 10 of the answer.
    const { charge } = await price(file({ file_id: own.pdf }));
    expect(charge).toBe(30 * 1_000 + 60 * 32_000 + 10 * 4_000 + 10 * 2_000);
  });

  test("covers 100 tokens for a second of plain audio, and 30 seconds more", async () => {
    const least = 100 * (2 + 30) * 32_000 + OUTPUT;
    for (const part of [audio({ file_id: own.wav }), audio({ data: base64("wav"), format: "wav" })]) {
      const { hold } = await price(part);
      expect(hold).toBeGreaterThan(least);
      expect(hold).toBeLessThan(CONTEXT * 32_000);
    }
  });

  test("covers the context for audio whose length its bytes do not show", async () => {
    const flac = Buffer.from("fLaC\0\0\0\x22 silence", "latin1").toString("base64");
    expect((await price(audio({ data: flac, format: "flac" }))).hold).toBe(CONTEXT * 32_000 + OUTPUT);
  });

  test("covers a text file by its bytes", async () => {
    const { hold } = await price(file({ file_id: own.text }));
    expect(hold).toBeLessThan(2_000 * 1_000 + OUTPUT);
  });
});
