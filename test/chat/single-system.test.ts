import { beforeEach, expect, test } from "vitest";
import { type Customer, newCustomer } from "../api/customer";
import { clientOf } from "../messages/host";
import { auditAfterChats, MODEL_YAML, openChatHost } from "./host";

const host = await openChatHost();
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(host.hub, { credit: 100 });
  host.setModels(MODEL_YAML.replace("gpt-up }", "gpt-up, single_system: true }"));
});
auditAfterChats(host.hub);

const text = (value: string) => ({ type: "text", text: value });
const user = (content: unknown) => ({ role: "user", content });
const system = (content: unknown) => ({ role: "system", content });
const developer = (content: unknown) => ({ role: "developer", content });

const forward = async (messages: object[]) => {
  expect((await host.chat(customer.key, { messages })).status).toBe(200);
  return host.upstream.requests.at(-1)!.body.messages as unknown;
};

test.each([
  ["the first instructions are one", [system("Be brief."), developer("Be kind."), user("hi")], [system("Be brief.\n\nBe kind."), user("hi")]], // prettier-ignore
  ["with their parts", [system([text("Be brief.")]), system("Be kind."), user("hi")], [system([text("Be brief."), text("Be kind.")]), user("hi")]], // prettier-ignore
  ["a developer's message is one of the system", [developer("Be brief."), user("hi")], [system("Be brief."), user("hi")]], // prettier-ignore
  ["later ones are marked", [user("hi"), system("It is late."), developer([text("So be brief.")])], [user("hi"), user("<system>It is late.</system>"), user([text("<system>So be brief.</system>")])]], // prettier-ignore
  ["no turn is needed", [system("a"), system("b")], [system("a\n\nb")]],
])("of a chat for a model that takes one system message, %s", async (_, messages, expected) => {
  expect(await forward(messages)).toEqual(expected);
  host.setModels(MODEL_YAML);
  expect(await forward(messages)).toEqual(messages);
});

test("a chat that has one system message keeps its text", async () => {
  const messages = '[{"role":"system","content":"Be brief."},{"content":"hi","role":"user","n":9007199254740993}]';
  const headers = { authorization: `Bearer ${customer.key}`, "content-type": "application/json" };
  const body = `{"model":"talk","messages":${messages}}`;
  const reply = await fetch(`${host.url}/v1/chat/completions`, { method: "POST", headers, body });
  expect(reply.status).toBe(200);
  expect(host.upstream.requests.at(-1)!.text).toContain(messages);
});

test.each([true, false])("Claude Code's messages reach such a model, streamed: %s", async (stream) => {
  const request = {
    model: "talk",
    max_tokens: 50,
    system: "Be brief.",
    messages: [user("hi"), system("The folder is /work.")] as unknown as [{ role: "user"; content: string }],
  };
  const { messages: api } = clientOf(host, customer);
  await (stream ? api.stream(request).finalMessage() : api.create(request));
  expect(host.upstream.requests.at(-1)!.body.messages).toEqual([
    system("Be brief."),
    user("hi"),
    user("<system>The folder is /work.</system>"),
  ]);
});
