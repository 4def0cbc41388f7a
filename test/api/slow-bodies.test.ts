import { afterEach, expect, test } from "vitest";
import { createByteBudget } from "../../server/lib/byte-budget";
import { newId } from "../../server/lib/id";
import { openRawClient, type RawClient } from "../raw-client";
import { callApi } from "./call";
import { newCustomer } from "./customer";
import { openOwnHost } from "./hosts";

const host = await openOwnHost();
const CHATS = "/api/v1/hub/chat/completions";
const SENT = '{"model":"none","messages":"'.padEnd(150_000, "a");

const clients: RawClient[] = [];
afterEach(() => clients.splice(0).forEach(({ socket }) => socket.destroy()));

/** Sends the beginning of a large body. */
async function sendHalf(path: string, key: string | null): Promise<RawClient> {
  const head = [`POST ${path} HTTP/1.1`, "Host: hub.test", "Content-Type: application/json", "Content-Length: 8000000"];
  if (key) head.push(`Authorization: Bearer ${key}`);
  const client = await openRawClient(host.url, `${head.join("\r\n")}\r\n\r\n`, SENT);
  clients.push(client);
  return client;
}

test("half-sent bodies of two accounts leave room for a third", async () => {
  Object.assign(host.hub, { bodyBudget: createByteBudget(2_000_000) });
  const attackers = [await newCustomer(host.hub), await newCustomer(host.hub)];
  const { key } = await newCustomer(host.hub);
  for (const attacker of attackers) {
    for (let n = 0; n < 8; n += 1) await sendHalf(CHATS, attacker.key);
    // Once an account has used up its share, the next one is rejected.
    await expect.poll(() => clients.some(({ received }) => received().startsWith("HTTP/1.1 503"))).toBe(true);
  }
  const reply = await callApi(host, "POST", CHATS, { key, body: { model: "none", messages: "a".repeat(150_000) } });
  expect(reply.status).not.toBe(503);
});

test("a callback without the token of its attempt keeps no memory", async () => {
  Object.assign(host.hub, { bodyBudget: createByteBudget(1_000_000) });
  const stalled = await Promise.all(
    Array.from({ length: 8 }, () => sendHalf(`/api/callbacks/providers/${newId()}?token=x`, null)),
  );
  for (const { received } of stalled) await expect.poll(received).toMatch(/^HTTP\/1\.1 401/);
  expect(host.hub.bodyBudget.open("a").add(499_999)).toBe(true);
});

test("bodies of callers without an account share a small budget, by their network", async () => {
  Object.assign(host.hub, { anonymousBodyBudget: createByteBudget(100_000), bodyBudget: createByteBudget(1_000_000) });
  const stalled = await sendHalf("/oauth/token", null);
  await expect.poll(stalled.received).toMatch(/^HTTP\/1\.1 (400|413|503)/);
  expect(host.hub.bodyBudget.open("a").add(499_999)).toBe(true);
});
