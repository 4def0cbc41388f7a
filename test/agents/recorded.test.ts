import { readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { openChatHost } from "../chat/host";
import { countMoney, newAgent } from "./agent-account";
import { callTool } from "./call-tool";
import { MODELS } from "./models";
import { readAnswer } from "./read-answer";

/** What a program sent while it ran one tool call, recorded from the unmodified program. */
interface Recording {
  program: string;
  /** What the requests with a body have in common. */
  headers: Record<string, string>;
  json: Record<string, unknown>;
  requests: RecordedRequest[];
}

interface RecordedRequest {
  method: string;
  path: string;
  /** The header that had the API key. */
  auth?: "authorization" | "x-api-key";
  headers: Record<string, string>;
  json?: Record<string, unknown>;
  /** Whether the body also has what is common. */
  shared?: boolean;
}

const FOLDER = path.join(import.meta.dirname, "recorded");
const recordings = readdirSync(FOLDER).map((name) => {
  const recording = JSON.parse(readFileSync(path.join(FOLDER, name), "utf8")) as Recording;
  return [recording.program, recording] as const;
});
const host = await openChatHost({}, callTool);
host.setModels(MODELS);
afterAll(async () => {
  expect(await runAudit(host.hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

type Sent = Pick<RecordedRequest, "method" | "path" | "headers"> & { body?: string };

/** Sends a request as it was recorded, also one for another protocol. */
async function send({ method, path: target, headers, body }: Sent): Promise<{ status: number; text: string }> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = http.request(new URL(target, host.url), { method, headers }, resolve);
    request.on("error", reject).end(body);
  });
  return { status: response.statusCode!, text: await text(response) };
}

function credentials(key: string, auth: RecordedRequest["auth"]): Record<string, string> {
  if (!auth) return {};
  return { [auth]: auth === "authorization" ? `Bearer ${key}` : key };
}

/** Sends the requests of a program one after the other. Returns the number of those that are chats. */
async function replay(recording: Recording, key: string, change: (body: string) => string): Promise<number> {
  let [chats, callId] = [0, "call_1"];
  for (const request of recording.requests) {
    const headers = { ...(request.json && recording.headers), ...request.headers, ...credentials(key, request.auth) };
    if (!request.json) {
      await expectAnswered(request, headers);
      continue;
    }
    const recorded = JSON.stringify({ ...(request.shared && recording.json), ...request.json });
    const body = change(recorded).replaceAll(/"(call_1|toolu_1)"/g, JSON.stringify(callId));
    const response = await send({ ...request, headers: { ...headers, "content-type": "application/json" }, body });
    expect(response.status === 200 ? 200 : response.text).toBe(200);
    const answer = readAnswer(request.path, response.text);
    chats += 1;
    const mayCall =
      /"tools":\[\{|"additional_tools"/.test(body) && !/"tool_result"|call_output"|"role":"tool"/.test(body);
    if (!mayCall) {
      expect(answer).toEqual({ text: expect.stringMatching(/\S/) as string, calls: [] });
    } else {
      expect(answer.calls).toHaveLength(1);
      callId = answer.calls[0]!.id;
    }
  }
  return chats;
}

/** Expects of a request without a body that its program goes on after it. */
async function expectAnswered({ method, path: target, auth }: RecordedRequest, headers: Record<string, string>) {
  const isUpgrade = "upgrade" in headers;
  const response = await send({ method, path: target, headers: { ...headers, ...(isUpgrade && UPGRADE) } });
  if (isUpgrade) expect(response.status).toBe(426);
  else if (method === "HEAD") expect([auth, response.status < 500, response.text]).toEqual([undefined, true, ""]);
  else expect(JSON.parse(response.text)).toMatchObject({ data: expect.any(Array) as unknown[] });
}

const UPGRADE = {
  connection: "Upgrade",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

describe.each(recordings)("%s", (_program, recording) => {
  test("runs a tool call to the end, and pays for each chat once", async () => {
    const { account, key } = await newAgent(host.hub);
    const chats = await replay(recording, key, (body) => body.replaceAll('"sandbox-text"', '"talk"'));
    expect(await countMoney(host.hub, account)).toMatchObject({ generations: chats, charges: chats, unpaid: 0 });
  });

  test("does so with the sandbox, which calls the tool that the user names", async () => {
    const { account, key } = await newAgent(host.hub);
    const chats = await replay(recording, key, (body) =>
      body
        .replace(/"model":"[^"]*"/, '"model":"sandbox-text"')
        .replaceAll("Run echo lighthouse", body.includes("exec") ? "Call exec" : "Call bash"),
    );
    expect(await countMoney(host.hub, account)).toMatchObject({ generations: chats, charges: chats, unpaid: 0 });
  });
});
