import { afterAll, describe, expect, test, vi } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { holdNext } from "../chat/upstream";
import { WAIT } from "../wait";
import { countMoney, newAgent } from "./agent-account";
import { callTool } from "./call-tool";
import { openNativeHost } from "./native-host";
import { readAnswer } from "./read-answer";
import { buildRequest, readRecording, readRecordings, type Recording, sendRequest, type Sent } from "./recordings";

const host = await openNativeHost();
afterAll(async () => {
  expect(await runAudit(host.hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

/** Sends the requests of a program one after the other. Returns the number of those that are chats. */
async function replay(recording: Recording, key: string, change: (body: string) => string): Promise<number> {
  let [chats, callId] = [0, "call_1"];
  for (const recorded of recording.requests) {
    const withId = (body: string) => change(body).replaceAll(/"(call_1|toolu_1)"/g, JSON.stringify(callId));
    const request = buildRequest(recording, recorded, key, withId);
    if (request.body === undefined) {
      await expectAnswered(request);
      continue;
    }
    const response = await sendRequest(host.url, request);
    expect(response.status === 200 ? 200 : response.text).toBe(200);
    const { calls, text } = readAnswer(request.path, response.text);
    chats += 1;
    if (mayCall(request.body)) {
      expect(calls).toHaveLength(1);
      callId = calls[0]!.id;
    } else {
      expect([calls, text]).toEqual([[], expect.stringMatching(/\S/)]);
    }
  }
  return chats;
}

/** Returns whether a request offers tools, and has no result of one yet. */
const mayCall = (body: string): boolean =>
  /"tools":\[\{|"additional_tools"/.test(body) && !/"tool_result"|call_output"|"role":"tool"/.test(body);

/** Expects that a request without a body gets an answer after which its program continues. */
async function expectAnswered(request: Sent): Promise<void> {
  const { status, text } = await sendRequest(host.url, request);
  if ("upgrade" in request.headers) expect(status).toBe(426);
  // The process answers it before the API does, and a 404 does not stop Claude Code either.
  else if (request.method === "HEAD") expect([status < 500, text]).toEqual([true, ""]);
  else expect(JSON.parse(text)).toMatchObject({ data: expect.any(Array) as unknown[] });
}

const toUpstream = (body: string) => body.replaceAll('"sandbox-text"', '"talk"');

describe.each(readRecordings())("%s", (_program, recording) => {
  test("runs a tool call to the end, and pays for each chat once", async () => {
    const { account, key } = await newAgent(host.hub);
    const chats = await replay(recording, key, toUpstream);
    expect(await countMoney(host.hub, account)).toEqual({ generations: chats, charges: chats, unexplained: 0 });
  });

  test("does so with the sandbox, which calls the tool that the user names", async () => {
    const { account, key } = await newAgent(host.hub);
    const chats = await replay(recording, key, (body) =>
      body
        .replace(/"model":"[^"]*"/, '"model":"sandbox-text"')
        .replaceAll("Run echo lighthouse", body.includes("exec") ? "Call exec" : "Call bash"),
    );
    expect(await countMoney(host.hub, account)).toEqual({ generations: chats, charges: chats, unexplained: 0 });
  });

  test("is not refused for members that nobody knows", async () => {
    const { key } = await newAgent(host.hub);
    await replay(recording, key, (body) => toUpstream(JSON.stringify(addUnknown(JSON.parse(body)))));
  });

  const native = findNativeModel(recording);
  test.runIf(native)("reaches a provider with its own API as it was sent", async () => {
    const { account, key } = await newAgent(host.hub);
    const [before, messages] = [host.upstream.requests.length, host.double.received.length];
    const chats = await replay(recording, key, (body) => body.replace(/"model":"[^"]*"/, `"model":"${native}"`));
    expect(await countMoney(host.hub, account)).toEqual({ generations: chats, charges: chats, unexplained: 0 });
    const received = [...host.upstream.requests.slice(before), ...host.double.received.slice(messages)];
    const sent = recording.requests.flatMap((request) => buildRequest(recording, request, key, String).body ?? []);
    expect(received).toHaveLength(sent.length);
    for (const [index, body] of sent.entries())
      expect(JSON.parse(hideIds(received[index]!.text))).toMatchObject(describeNative(native!, hideIds(body)));
  });
});

/** Members whose own members are named by the client. */
const FREE = ["parameters", "input_schema", "schema", "input", "metadata"];

/** Returns a body with an unknown member in each object whose members the API defines. */
function addUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addUnknown);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    FREE.includes(name) && !Array.isArray(member) ? (member as unknown) : addUnknown(member),
  ]);
  return { ...Object.fromEntries(members), novelty: { a: [1] } };
}

/** The ids of calls are the provider's own. */
const hideIds = (body: string): string => body.replaceAll(/"(call|toolu)_(1|up)"/g, '"ID"');

/**
 * Returns the body that a provider gets for this one: without hosted tools, which have no price at the hub, and without
 * storing responses, because the hub keeps their state itself.
 */
function describeNative(model: string, text: string): object {
  const body = JSON.parse(text) as { tools?: { type?: string }[] };
  return {
    ...body,
    model: expect.any(String) as string,
    ...(body.tools && { tools: body.tools.filter(({ type }) => type !== "web_search") }),
    ...(model === "native-responses" && { store: false }),
  };
}

/** Returns the model whose provider has the API of a recording; null for chats. */
function findNativeModel({ requests }: Recording): string | null {
  const target = requests.find(({ json }) => json)!.path;
  if (target.startsWith("/v1/messages")) return "native-messages";
  return target === "/v1/responses" ? "native-responses" : null;
}

test("the title and the first turn run at once on a balance that covers little more than one of them", async () => {
  const recording = readRecording("claude-code-interactive.json");
  const [title, turn] = recording.requests.filter(({ json }) => json);
  const sendAs = (key: string, request = turn!) =>
    sendRequest(host.url, buildRequest(recording, request, key, toUpstream));
  const rich = await newAgent(host.hub);
  expect((await sendAs(rich.key)).headers).not.toHaveProperty("x-hub-max-tokens");
  const [hold] = await host.hub.db.query<{ eur: number }>(
    "SELECT (estimated_cost / 1e9)::float8 AS eur FROM generation WHERE account_id = $1",
    [rich.account],
  );

  const { account, key } = await newCustomer(host.hub, { credit: Number((1.1 * hold!.eur).toFixed(6)) });
  const before = host.upstream.requests.length;
  const releases = [holdNext(host.upstream, callTool), holdNext(host.upstream, callTool)];
  const sent = [sendAs(key, title), sendAs(key)];
  await vi.waitFor(() => expect(host.upstream.requests).toHaveLength(before + 2), WAIT);
  const [held] = await host.hub.db.query("SELECT balance >= reserved AS covered FROM account WHERE id = $1", [account]);
  expect(held).toEqual({ covered: true });
  for (const release of releases) release();
  for (const { status, headers } of await Promise.all(sent)) {
    expect(status).toBe(200);
    expect(Number(headers["x-hub-max-tokens"])).toBeGreaterThanOrEqual(4_096);
  }
});

test.each([
  ["claude-code.json", 402, { type: "error", error: { type: "billing_error" } }, undefined],
  ["codex.json", 429, { error: { type: "insufficient_quota", code: "insufficient_quota" } }, "false"],
])("%s without credit gets the error after which its program ends", async (name, status, body, retry) => {
  const recording = readRecording(name);
  const { key } = await newCustomer(host.hub, { credit: 0 });
  const request = recording.requests.find(({ json }) => json)!;
  const response = await sendRequest(host.url, buildRequest(recording, request, key, toUpstream));
  expect([response.status, JSON.parse(response.text)]).toMatchObject([status, body]);
  expect(response.headers["x-should-retry"]).toBe(retry);
});
