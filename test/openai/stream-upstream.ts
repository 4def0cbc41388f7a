import type { ServerResponse } from "node:http";
import type { Responder, Upstream, UpstreamRequest } from "../chat/upstream";

/** One stream of the upstream under a test's control. */
export interface UpstreamStream {
  request: UpstreamRequest;
  response: ServerResponse;
  /** Sends a text as one chunk. */
  text(content: string): void;
  /** Sends an event with this JSON. */
  event(data: unknown): void;
  raw(text: string): void;
  /** Sends the last chunk, usage if given, and the end. */
  finish(usage?: Record<string, unknown>): void;
  /** Resolves when the hub closes the connection or the response has ended. */
  closed: Promise<void>;
}

export const textChunk = (content: string, finish_reason: string | null = null) => ({
  id: "chatcmpl-up",
  object: "chat.completion.chunk",
  created: 1,
  model: "gpt-up-2026",
  system_fingerprint: "fp_1",
  choices: [{ index: 0, delta: content === "" ? {} : { content }, finish_reason }],
  usage: null,
});

export const usageOf = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});

/** Leaves the next request's response to the test; resolves when the request has arrived. */
export const takeNext = (upstream: Upstream): Promise<UpstreamStream> =>
  new Promise((resolve) => {
    upstream.respondNext((response, request) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      resolve(controlStream(response, request));
    });
  });

function controlStream(response: ServerResponse, request: UpstreamRequest): UpstreamStream {
  const raw = (text: string) => void response.write(text);
  const event = (data: unknown) => raw(`data: ${JSON.stringify(data)}\n\n`);
  return {
    request,
    response,
    raw,
    event,
    text: (content) => event(textChunk(content)),
    finish(usage) {
      event(textChunk("", "stop"));
      if (usage) event({ ...textChunk(""), choices: [], usage });
      raw("data: [DONE]\n\n");
      response.end();
    },
    closed: new Promise((resolve) => response.once("close", () => resolve())),
  };
}

/** Responds with these events at once; texts are sent as they are. */
export const streamEvents =
  (...events: (string | object)[]): Responder =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event) => (typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`)).join("")); // prettier-ignore
  };

export const DONE = "data: [DONE]\n\n";

/** Responds as an honest server does. */
export const streamWords = (words: string[], usage = usageOf(10, words.length)): Responder =>
  streamEvents(
    { ...textChunk(""), choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] },
    ...words.map((word) => textChunk(word)),
    textChunk("", "stop"),
    { ...textChunk(""), choices: [], usage },
    DONE,
  );
