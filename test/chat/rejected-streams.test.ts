import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { streamChat } from "../../server/domain/chat";
import { createOpenAiDialect } from "../../server/domain/dialects";
import { newCustomer } from "../api/customer";
import { openChatHost, userMessages } from "./host";
import { holdNext } from "./upstream";

const host = await openChatHost();
const { hub, upstream } = host;
const dialect = createOpenAiDialect((error) => ({ message: error.message }));
const valid = { model: "talk", messages: userMessages("hello"), max_tokens: 100 };

/**
 * Returns a function that streams a chat of a new customer, and one that counts the listeners that each of its chats
 * has left behind.
 */
async function openCaller(credit: number) {
  const customer = await newCustomer(hub, { credit });
  const account = { id: customer.account, email: customer.email, member: false, balance: 0n, reserved: 0n };
  const ctx = contextOf(hub, account, { kind: "user" }, "test");
  const signals: AbortSignal[] = [];
  const stream = (body: typeof valid, key?: string) => {
    const { signal: disconnected } = new AbortController();
    signals.push(disconnected);
    const idempotency = key === undefined ? null : { key, fingerprint: Buffer.alloc(32) };
    return streamChat(ctx, body, idempotency, { disconnected, onGeneration: () => undefined, dialect });
  };
  return { stream, countListeners: () => signals.map((signal) => getEventListeners(signal, "abort").length) };
}

test.each([
  ["without credit", 0, valid, "insufficient_credits"],
  ["with an invalid body", 10, { ...valid, messages: [] }, "invalid_input"],
  ["of an unknown model", 10, { ...valid, model: "nothing" }, "model_not_found"],
])("a streamed chat %s leaves nothing that listens to its client", async (_name, credit, body, code) => {
  const { stream, countListeners } = await openCaller(credit);
  await expect(stream(body)).rejects.toMatchObject({ code });
  expect(countListeners()).toEqual([0]);
});

test("a streamed chat whose key another one takes at the same time leaves nothing that listens to its client", async () => {
  const respond = holdNext(upstream);
  const { stream, countListeners } = await openCaller(10);
  const chats = [stream(valid, "same"), stream(valid, "same")];
  const rejected = await Promise.any(
    chats.map((chat) => chat.then(() => Promise.reject(new Error("answered")), (error: unknown) => error)), // prettier-ignore
  );
  expect(rejected).toMatchObject({ code: "generation_in_progress" });
  respond();
  const [answered] = (await Promise.allSettled(chats)).flatMap((end) => (end.status === "fulfilled" ? end.value : []));
  expect(await new Response(answered!.body).text()).toContain("[DONE]");
  expect(countListeners()).toEqual([0, 0]);
});
