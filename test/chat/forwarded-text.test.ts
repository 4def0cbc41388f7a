import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { Reply } from "../api/call";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { seed, soakCount } from "../soak";
import { CHAT, MODEL_YAML, openChatHost } from "./host";

const host = await openChatHost();
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(host.hub, { credit: 1000 });
});

const BIG = "9007199254740993";
const hello = '[{"role":"user","content":"hello"}]';
const sendText = (text: string, headers: Record<string, string> = {}, path = CHAT): Promise<Reply> =>
  callApi(host, "POST", path, { key: customer.key, body: text, headers });
const forwarded = () => host.upstream.requests.at(-1)!.text;

test("forwards numbers as they were sent, whatever a parser would make of them", async () => {
  const schema = `{"type":"object","properties":{"id":{"type":"integer","minimum":-${BIG},"maximum":18446744073709551615}}}`;
  const tools = `[{"type":"function","function":{"name":"f","parameters":${schema}}}]`;
  const text = `{"model":"talk", "messages": ${hello} ,"seed":${BIG},"tools":${tools},"temperature":0.10000000000000000001,"top_p":1.0,"max_tokens":5}`;
  const { status, body } = await sendText(text);
  expect(status).toBe(200);
  expect(forwarded()).toBe(
    `{"messages":${hello},"seed":${BIG},"tools":${tools},"temperature":0.10000000000000000001,"top_p":1.0,"max_tokens":5,"model":"gpt-up"}`,
  );
  const record = await callApi(host, "GET", `/api/v1/hub/generations/${String(body.id)}`, { key: customer.key });
  expect(record.body.input).toMatchObject({ seed: BIG, temperature: 0.1 });
  expect(JSON.stringify(record.body.input)).toContain('"maximum":"18446744073709551615"');
});

test("forwards metadata only with what the provider stores", async () => {
  const send = async (members: string, path?: string) => {
    await sendText(`{"model":"talk","messages":${hello},"metadata":{"team":"blue"},"user":"ada"${members}}`, {}, path);
    const { metadata, user } = JSON.parse(forwarded()) as Record<string, unknown>;
    return { metadata, user };
  };
  for (const path of [CHAT, "/v1/chat/completions"]) {
    expect(await send("", path)).toEqual({ metadata: undefined, user: "ada" });
    expect(await send(',"store":false', path)).toEqual({ metadata: undefined, user: "ada" });
    expect(await send(',"store":true', path)).toEqual({ metadata: { team: "blue" }, user: "ada" });
  }
});

test("forwards the text of a stream, without the members that the hub sets", async () => {
  const text = `{"stream":true,"model":"talk","messages":${hello},"seed":${BIG},"n":1,"stream_options":{"include_usage":false,"id":${BIG}}}`;
  await sendText(text, {}, "/v1/chat/completions");
  const sent = forwarded();
  expect(sent).toContain(`"messages":${hello},"seed":${BIG}`);
  expect(JSON.parse(sent)).toMatchObject({ stream: true, stream_options: { include_usage: true }, max_tokens: 1000 });
  expect(sent.match(/"(stream|stream_options|model|n)":/g)).toEqual(['"stream":', '"stream_options":', '"model":']);
});

test("forwards a renamed member as it was sent", async () => {
  host.setModels(
    MODEL_YAML.replace("gpt-up }", "gpt-up, rename: { seed: random_seed } }").replace(
      "routes:",
      "parameters_schema: { type: object, additionalProperties: true, properties: { seed: { type: integer } } }\n    routes:",
    ),
  );
  await sendText(`{"model":"talk","messages":${hello},"seed":${BIG}}`);
  expect(forwarded()).toContain(`"random_seed":${BIG}`);
  host.setModels(MODEL_YAML);
});

test("an idempotency key tells integers apart that a parser would not", async () => {
  const send = (seedText: string) =>
    sendText(`{"model":"talk","messages":${hello},"seed":${seedText}}`, { "idempotency-key": "large" });
  expect((await send(BIG)).status).toBe(200);
  expect((await send("9007199254740992")).status).toBe(409);
  const again = await sendText(`{"seed":${BIG}, "messages":${hello},"model":"talk"}`, { "idempotency-key": "large" });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("the digits of large integers are held for", async () => {
  const heldFor = async (digits: string) => {
    const { body } = await sendText(`{"model":"talk","messages":${hello},"max_tokens":1,"logit_bias":{"n":${digits}}}`);
    const { body: record } = await callApi(host, "GET", `/api/v1/hub/generations/${String(body.id)}`, {
      key: customer.key,
    });
    return record.estimated_cost as number;
  };
  expect((await heldFor("1".repeat(300))) - (await heldFor("1"))).toBeGreaterThan(2 * 299 * 1e-6 - 1e-9);
});

test.each([
  ["model", `"model":"talk","model":"sandbox-text","messages":${hello}`],
  ["max_tokens", `"model":"talk","max_tokens":1,"messages":${hello},"max_tokens":900`],
  ["max_completion_tokens", `"model":"talk","max_completion_tokens":1,"messages":${hello},"max_completion_tokens":9`],
  ["messages", `"model":"talk","messages":${hello},"messages":${hello}`],
  ["n", `"model":"talk","messages":${hello},"n":1,"n":1`],
  ["stream", `"model":"talk","messages":${hello},"stream":false,"stream":false`],
  ["tools", `"model":"talk","messages":${hello},"tools":[],"\\u0074ools":[]`],
  ["messages.1.content", `"model":"talk","messages":[{"role":"user"},{"role":"user","content":"a","content":"b"}]`],
  [
    "messages.0.content.0.image_url.url",
    '"model":"talk","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,","url":"x"}}]}]',
  ],
])("a repeated %s is rejected by its place", async (place, members) => {
  const before = host.upstream.requests.length;
  const { status, body } = await sendText(`{${members}}`);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({
    code: "invalid_input",
    message: `${place}: is given more than once`,
    metadata: { errors: { [place]: ["is given more than once"] } },
  });
  expect(host.upstream.requests.length).toBe(before);
});

test("numbers that are not finite stay rejected", async () => {
  const { status, body } = await sendText(`{"model":"talk","messages":${hello},"seed":1e999}`);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ message: "seed: is not a finite number" });
});

/** Values of members that the hub does not read. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" }).map((one) => JSON.stringify(one)),
  fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }).map(String),
);
const name = fc.stringMatching(/^x[a-z"\\ é]{0,8}$/);

test("what is forwarded has the text of what was sent, except for replaced members", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 5 }),
      fc.constantFrom("", " ", "\n\t"),
      fc.string({ unit: "grapheme" }),
      async (members, space, content) => {
        const messages = JSON.stringify([{ role: "user", content }], null, space);
        const all = [["model", '"talk"'], ...members, ["messages", messages], ["max_tokens", "5000"]];
        const text = all
          .map(([key, json]) => `${JSON.stringify(key)}${space}:${space}${json}`)
          .join(`${space},${space}`);
        const { status } = await sendText(`{${space}${text}${space}}`);
        expect(status).toBe(200);
        const expected = [...members, ["messages", messages], ["max_tokens", "1000"], ["model", '"gpt-up"']];
        expect(forwarded()).toBe(`{${expected.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`);
      },
    ),
    { seed, numRuns: soakCount(60, 2_000) },
  );
});
