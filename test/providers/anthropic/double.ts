import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listenOnLoopback } from "../../loopback";
import { findFault } from "./find-fault";

type Json = Record<string, unknown>;

export interface ReceivedMessage {
  path: string;
  headers: IncomingMessage["headers"];
  text: string;
  body: Json;
}

/** What the next message answers: its content, and why it stops. */
export interface Answer {
  content: Json[];
  stop_reason?: string;
  usage?: Json;
  /** Instead of an answer. */
  error?: { status: number; type: string; message: string; headers?: Record<string, string> };
  /** Ends a stream after this many events, with this event if given. */
  breakAfter?: number;
  lastEvent?: Json;
}

export const USAGE = {
  input_tokens: 12,
  cache_creation_input_tokens: 100,
  cache_read_input_tokens: 1_000,
  cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 0 },
  output_tokens: 20,
  service_tier: "standard",
};

export const API_KEY = "sk-ant-0123456789abcdef0123";

const sayHello = (): Answer => ({ content: [{ type: "text", text: "Hello there" }] });

/** Opens a server on loopback that speaks Anthropic's Messages, and refuses what Anthropic refuses. */
export async function openDouble(respond: (text: string) => Answer = sayHello) {
  const received: ReceivedMessage[] = [];
  const answers: Answer[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const text = bytes.toString();
      const { authorization = "" } = request.headers;
      const { "x-api-key": key = authorization.replace("Bearer ", "") } = request.headers;
      if (key !== API_KEY) return fail(response, 401, "authentication_error", "invalid x-api-key");
      if (request.headers["anthropic-version"] === undefined)
        return fail(response, 400, "invalid_request_error", "anthropic-version: header is required");
      if (request.method === "GET") return findModel(response, request.url!);
      const body = JSON.parse(text) as Json;
      received.push({ path: request.url!, headers: request.headers, text, body });
      if (request.url === "/v1/messages/count_tokens") return count(response, body, answers.shift());
      const fault = findFault(body);
      if (fault !== null) return fail(response, 400, "invalid_request_error", fault);
      const answer = answers.shift() ?? respond(text);
      const { error } = answer;
      if (error) return fail(response, error.status, error.type, error.message, error.headers);
      return body.stream === true ? sendStream(response, body, answer) : sendWhole(response, body, answer);
    });
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerNext: (...next: Answer[]) => void answers.push(...next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Double = Awaited<ReturnType<typeof openDouble>>;

function findModel(response: ServerResponse, url: string): void {
  const id = url.slice("/v1/models/".length);
  if (id === "claude-opus-5-5") return send(response, 200, { type: "model", id });
  fail(response, 404, "not_found_error", `model: ${id}`);
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_1", ...headers });
  response.end(JSON.stringify(body));
}

const fail = (
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  headers?: Record<string, string>,
): void => send(response, status, { type: "error", error: { type, message }, request_id: "req_1" }, headers);

/** Answers how many tokens a prompt has: 4321, or `content` of an answer as the body. */
function count(response: ServerResponse, body: Json, answer?: Answer): void {
  if (body.max_tokens !== undefined) return fail(response, 400, "invalid_request_error", "max_tokens: Extra inputs");
  const fault = findFault({ ...body, max_tokens: 1 });
  if (fault !== null) return fail(response, 400, "invalid_request_error", fault);
  if (answer?.error) return fail(response, answer.error.status, answer.error.type, answer.error.message);
  send(response, 200, answer?.content[0] ?? { input_tokens: 4321 });
}

const messageOf = ({ model }: Json, { content, stop_reason = "end_turn", usage = USAGE }: Answer) => ({
  id: "msg_upstream",
  type: "message",
  role: "assistant",
  model,
  content,
  stop_reason,
  stop_sequence: null,
  usage,
});

const sendWhole = (response: ServerResponse, body: Json, answer: Answer): void =>
  send(response, 200, messageOf(body, answer));

function sendStream(response: ServerResponse, body: Json, answer: Answer): void {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": "req_1" });
  const events = [...listEvents(body, answer)];
  const { breakAfter = events.length, lastEvent } = answer;
  for (const event of [...events.slice(0, breakAfter), ...(lastEvent ? [lastEvent] : [])])
    response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

/** Yields the events of a message in Anthropic's order. */
function* listEvents(body: Json, answer: Answer): Generator<Json> {
  const message = messageOf(body, answer);
  const usage = { ...message.usage, output_tokens: 1 };
  yield { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } };
  yield { type: "ping" };
  for (const [index, block] of answer.content.entries()) yield* listBlockEvents(index, block);
  const { stop_reason, stop_sequence } = message;
  const { output_tokens } = message.usage;
  yield { type: "message_delta", delta: { stop_reason, stop_sequence }, usage: { output_tokens } };
  yield { type: "message_stop" };
}

function* listBlockEvents(index: number, block: Json): Generator<Json> {
  const delta = (part: Json): Json => ({ type: "content_block_delta", index, delta: part });
  const { type } = block;
  if (type === "text") {
    yield { type: "content_block_start", index, content_block: { type, text: "" } };
    for (const text of String(block.text).split(/(?<= )/)) yield delta({ type: "text_delta", text });
  } else if (type === "thinking") {
    yield { type: "content_block_start", index, content_block: { type, thinking: "", signature: "" } };
    yield delta({ type: "thinking_delta", thinking: block.thinking });
    yield delta({ type: "signature_delta", signature: block.signature });
  } else {
    yield { type: "content_block_start", index, content_block: { ...block, input: {} } };
    const json = JSON.stringify(block.input);
    yield delta({ type: "input_json_delta", partial_json: json.slice(0, 4) });
    yield delta({ type: "input_json_delta", partial_json: json.slice(4) });
  }
  yield { type: "content_block_stop", index };
}
