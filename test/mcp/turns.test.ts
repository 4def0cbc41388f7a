import { expect, test } from "vitest";
import { createMcpApp } from "../../server/api/mcp/app";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { measureLongestTurnAgain } from "../longest-turn";

const MAX_TURN_MS = 50;
const hub = await testHub({ RATE_LIMIT_READS_PER_MINUTE: "100000", RATE_LIMIT_WRITES_PER_MINUTE: "100000" });
const app = createMcpApp(hub);
const { key } = await newCustomer(hub);

async function send(message: unknown): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
  };
  const body = JSON.stringify(message);
  const response = await app.fetch(new Request("http://hub.test/mcp", { method: "POST", headers, body }));
  return { status: response.status, text: await response.text() };
}

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`member_${n}`, n]));
const call = (args = {}, params = {}, top = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "estimate", arguments: { model: "sandbox-image", input: { prompt: "a" }, ...args }, ...params },
  ...top,
});
// The first calls compile what later ones use.
await send(call());
await send(call(many(400), many(400)));

test.each([
  ["arguments", call(many(10_000)), 400, "params.arguments"],
  ["parameters", call({}, many(19_000)), 400, "params"],
  ["meta data", call({}, { _meta: many(19_000) }), 400, "params._meta"],
  ["a message", call({}, {}, many(19_000)), 400, "body"],
  ["a notification", { jsonrpc: "2.0", method: "notifications/progress", params: many(19_000) }, 400, "params"],
  ["20 messages", Array.from({ length: 20 }, () => call(many(480))), 200, "estimated_cost"],
  ["an input", call({ input: { prompt: "a", ...many(19_000) } }), 200, "there is no such parameter"],
])("unknown members of %s take short turns", async (_name, message, status, text) => {
  let answer = { status: 0, text: "" };
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, async () => {
    answer = await send(message);
  });
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(text);
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});
