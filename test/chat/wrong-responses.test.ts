import { createServer, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { listenOnLoopback } from "../loopback";
import { UPSTREAM_KEY, openChatHost, userMessages } from "./host";

/** Opens an upstream that writes these bytes in response to any request. */
async function openRawUpstream() {
  let bytes: Buffer = Buffer.alloc(0);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    socket.on("error", () => undefined);
    let request = "";
    socket.on("data", (chunk) => {
      request += chunk.toString("latin1");
      const [head = "", body = ""] = request.split(/\r\n\r\n/, 2);
      if (body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Infinity)) return;
      request = "";
      socket.end(bytes);
    });
  });
  const port = await listenOnLoopback(server);
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${port}/v1`, answer: (next: Buffer) => void (bytes = next) };
}

const upstream = await openRawUpstream();
const host = await openChatHost();
const customer = await newCustomer(host.hub, { credit: 1_000 });
host.setModels(
  `
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: second, upstream_model: gpt-up }]
`,
  upstream.url,
  UPSTREAM_KEY,
);

const http = (status: string, body: string | Buffer, headers: Record<string, string> = {}) => {
  const lines = Object.entries({ "content-type": "application/json", ...headers }).map(([n, v]) => `${n}: ${v}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`), Buffer.from(body)]);
};
const ok = (body: string | Buffer, headers?: Record<string, string>) => http("200 OK", body, headers);
const json = (value: unknown) => ok(JSON.stringify(value));
const choice = { index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" };
const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
const completion = (changes: object) => json({ id: "x", choices: [choice], usage, ...changes });
const message = (changes: object) =>
  completion({ choices: [{ ...choice, message: { ...choice.message, ...changes } }] });
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const inside = (place: string, value: string) =>
  ok(JSON.stringify({ choices: [choice], usage, [place]: 0 }).replace(`"${place}":0`, `"${place}":${value}`));
const wide = (item: string, count: number) => `[${`${item},`.repeat(count)}${item}]`;

const values: unknown[] = [null, true, -1, 1e308, "", "x", [], {}, [null], { toString: 1 }];
const wrongResponses: [string, Buffer][] = [
  ...["", " ", "null", "1", '"x"', "[]", "{", "{}", "\ufeff{}", "data: {}\n\n", "<html>", "\0", "nul"].map(
    (body): [string, Buffer] => [`the body ${JSON.stringify(body)}`, ok(body)],
  ),
  ...values.map((value): [string, Buffer] => [`choices ${JSON.stringify(value)}`, completion({ choices: value })]),
  ...values.map((value): [string, Buffer] => [`a choice ${JSON.stringify(value)}`, completion({ choices: [value] })]),
  ...values.map((value): [string, Buffer] => [`content ${JSON.stringify(value)}`, message({ content: value })]),
  ...values.map((value): [string, Buffer] => [`usage ${JSON.stringify(value)}`, completion({ usage: value })]),
  ...values.map((value): [string, Buffer] => [
    `tokens ${JSON.stringify(value)}`,
    completion({ usage: { prompt_tokens: value, completion_tokens: value, total_tokens: value } }),
  ]),
  ...["choices", "usage", "extra"].flatMap((place): [string, Buffer][] => [
    [`${place} nested 5,000 deep`, inside(place, deep(5_000))],
    [`${place} nested 63 deep`, inside(place, deep(63))],
    [`500,000 values in ${place}`, inside(place, wide("0", 500_000))],
    [`500,000 objects in ${place}`, inside(place, wide("{}", 500_000))],
  ]),
  ["500,000 choices", ok(`{"choices":${wide(JSON.stringify(choice), 500_000)}}`)],
  ["40,000 members of the message", message(Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`k${n}`, 0])))],
  ["names that every object has", ok('{"constructor":1,"__proto__":{"x":1},"toString":1,"choices":[{"message":{"__proto__":1}}]}')],
  ["NUL in the content", message({ content: "a\0b" })],
  ["half a surrogate pair in the content", ok(JSON.stringify({ choices: [choice] }).replace("hi", "\\ud800"))],
  ["bytes that are no UTF-8", ok(Buffer.concat([Buffer.from('{"choices":[{"message":{"content":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}}]}')]))],
  ["a megabyte of content", message({ content: "😀\\\"".repeat(150_000) })],
  ["30 MiB of content", message({ content: "a".repeat(30 * 1024 ** 2) })],
  ["the hub's own key in its content", message({ content: `Bearer ${UPSTREAM_KEY}` })],
  ["a finish reason that is none", completion({ choices: [{ ...choice, finish_reason: { a: 1 } }] })],
  ["an index that is none", completion({ choices: [{ ...choice, index: "x" }] })],
  ["a length that is too small", ok(JSON.stringify({ choices: [choice] }), { "content-length": "5" })],
  ["a length that is too large", ok(JSON.stringify({ choices: [choice] }), { "content-length": "5000" })],
  ["chunks that are none", ok("zz\r\n{}", { "transfer-encoding": "chunked" })],
  ["an encoding that was not asked for", ok("\x1f\x8b\x08garbage", { "content-encoding": "gzip" })],
  ["a header of 100 kB", ok("{}", { "x-long": "a".repeat(100_000) })],
  ["no HTTP", Buffer.from("hello\r\n\r\n")],
  ["nothing at all", Buffer.alloc(0)],
  ...["101 Switching", "103 Early", "201 Created", "204 None", "206 Part", "304 Same", "302 Found", "400 Bad", "401 No", "402 Pay", "404 Gone", "418 Tea", "429 Slow", "499 Left", "500 Oops", "503 Away", "599 Odd", "999 Lie", "0 Nil"].map(
    (status): [string, Buffer] => [
      `status ${status}`,
      http(status, JSON.stringify({ error: { message: `\0\ud800${UPSTREAM_KEY}${"x".repeat(2_000)}` } }), { "retry-after": "-1e9" }),
    ],
  ),
  ["a refusal nested 5,000 deep", http("400 Bad", deep(5_000))],
  ["a refusal of a megabyte", http("400 Bad", JSON.stringify({ error: { message: "a".repeat(2 ** 20) } }))],
  ["a refusal without words", http("400 Bad", JSON.stringify({ error: { message: { toString: 1 } } }))],
]; // prettier-ignore

test("there are many wrong responses", () => expect(wrongResponses.length).toBeGreaterThanOrEqual(95));

test.each(wrongResponses)("%s: the chat ends at once, charged or released", async (_name, bytes) => {
  upstream.answer(bytes);
  const before = (await callApi(host, "GET", "/api/v1/me", { key: customer.key })).body;
  const reply = await host.chat(customer.key, { messages: userMessages("hi"), max_tokens: 10 });
  expect(reply.status === 200 || reply.status === 503 || (reply.status >= 400 && reply.status < 500), String(reply.status)).toBe(true); // prettier-ignore
  expect(JSON.stringify(reply.body)).not.toContain(UPSTREAM_KEY);
  const after = (await callApi(host, "GET", "/api/v1/me", { key: customer.key })).body;
  // Nothing is held any more, and a failure is not billed.
  expect(after.available).toBe(after.balance);
  if (reply.status !== 200) expect(after.balance).toBe(before.balance);
});

test("every chat has ended, and the audit finds no violation", async () => {
  const open = await host.hub.db.query("SELECT id FROM generation WHERE status NOT IN ('succeeded', 'failed')");
  expect(open).toEqual([]);
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});
