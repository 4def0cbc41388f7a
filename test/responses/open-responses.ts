import OpenAI from "openai";
import { afterEach, expect } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { type ChatHost, openChatHost } from "../chat/host";

export type Json = Record<string, unknown>;

export interface Reply {
  status: number;
  headers: Headers;
  body: Json;
}

export interface ResponsesHost extends ChatHost {
  customer(): Promise<Customer>;
  /** Sends a request for a response of the model `talk`. */
  respond(key: string, body: Json, headers?: Record<string, string>): Promise<Reply>;
  /** Sends a request without a body to a path below `/v1/responses`. */
  request(key: string, method: string, path: string): Promise<Reply>;
  /** Streams such a response and returns its events, in order. */
  stream(key: string, body: Json, headers?: Record<string, string>): Promise<{ response: Response; events: Json[] }>;
  sdk(key: string): OpenAI;
}

/** Opens a hub with the models of `openChatHost`, and audits its money after each test. */
export async function openResponsesHost(): Promise<ResponsesHost> {
  const host = await openChatHost();
  afterEach(async () => {
    await expect.poll(() => host.hub.chats.size).toBe(0);
    expect(await runAudit(host.hub.db)).toMatchObject({ violations: [], reserved: 0 });
  });
  const send = (key: string, method: string, path: string, body?: Json, headers: Record<string, string> = {}) =>
    fetch(`${host.url}/v1/responses${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: body && JSON.stringify(body),
    });
  return {
    ...host,
    customer: () => newCustomer(host.hub),
    respond: async (key, body, headers) => readReply(await send(key, "POST", "", { model: "talk", ...body }, headers)),
    request: async (key, method, path) => readReply(await send(key, method, path)),
    async stream(key, body, headers) {
      const response = await send(key, "POST", "", { model: "talk", ...body, stream: true }, headers);
      return { response, events: parseEvents(await response.text()) };
    },
    sdk: (key) => new OpenAI({ baseURL: `${host.url}/v1`, apiKey: key, maxRetries: 0 }),
  };
}

async function readReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as Json };
}

/** Returns the data of events, after comparing each one's name and number with its data. */
export function parseEvents(text: string): Json[] {
  const events = text
    .split("\n\n")
    .filter((event) => event !== "" && !event.startsWith(":"))
    .map((event) => {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event)!;
      const json = JSON.parse(data!) as Json;
      expect(json.type).toBe(name);
      return json;
    });
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  return events;
}

const OUTPUT_TEXTS: Record<string, string> = {
  "response.output_text.delta": "text",
  "response.reasoning_summary_text.delta": "text",
  "response.function_call_arguments.delta": "arguments",
  "response.custom_tool_call_input.delta": "input",
};

/** Checks that deltas, done texts and done items of a whole stream agree with its last response, which it returns. */
export function checkStream(events: Json[]): Json {
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["response.created", "response.in_progress"]);
  const last = events.at(-1)!;
  expect(["response.completed", "response.incomplete"]).toContain(last.type);
  const { output } = last.response as { output: Json[] };
  const added = events.filter(({ type }) => type === "response.output_item.added");
  const done = events.filter(({ type }) => type === "response.output_item.done");
  expect(added.map(({ output_index }) => output_index)).toEqual(output.map((_, index) => index));
  expect(done.map(({ item }) => item)).toHaveLength(output.length);
  for (const { output_index, item } of done) expect(item).toEqual(output[Number(output_index)]);
  const sums = new Map<string, string>();
  for (const event of events) {
    const kind = Object.hasOwn(OUTPUT_TEXTS, String(event.type)) ? OUTPUT_TEXTS[String(event.type)]! : null;
    if (kind !== null) {
      expect(event.item_id).toBe(output[Number(event.output_index)]!.id);
      sums.set(String(event.item_id), (sums.get(String(event.item_id)) ?? "") + String(event.delta));
    } else if (/(text|arguments|input)\.done$/.test(String(event.type))) {
      expect(event.text ?? event.arguments ?? event.input).toBe(sums.get(String(event.item_id)) ?? "");
    }
  }
  return last.response as Json;
}
