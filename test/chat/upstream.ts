import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { listenOnLoopback } from "../loopback";
import { completionFor, type ChatBody } from "./completion";

export interface UpstreamRequest {
  path: string;
  headers: IncomingMessage["headers"];
  body: ChatBody;
  /** The body as it was sent. */
  text: string;
}

export type Responder = (response: ServerResponse, request: UpstreamRequest) => void;

export interface Upstream {
  /** The address for a catalogue's `base_url`. */
  url: string;
  port: number;
  /** Every request, oldest first. */
  requests: UpstreamRequest[];
  /** Sets the responders of the next requests, one each; all other requests succeed. */
  respondNext(...responders: Responder[]): void;
  /** Returns the number of connections since the start. */
  connections(): number;
  close(): Promise<void>;
}

/** Opens a real server on loopback that speaks OpenAI's protocol, and misbehaves when a test or a message asks for it. */
export async function openUpstream(port = 0, respond: Responder = respondNormally): Promise<Upstream> {
  const requests: UpstreamRequest[] = [];
  const queue: Responder[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void readRequest(request).then((received) => {
      requests.push(received);
      const marked = misbehaviours[/\bdo:(\w+)/.exec(JSON.stringify(received.body.messages))?.[1] ?? ""];
      (queue.shift() ?? marked ?? respond)(response, received);
    });
  });
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket.once("close", () => sockets.delete(socket)));
  });
  const boundPort = await listenOnLoopback(server, port);
  return {
    url: `http://127.0.0.1:${boundPort}/v1`,
    port: boundPort,
    requests,
    connections: () => connections,
    respondNext: (...responders) => void queue.push(...responders),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<UpstreamRequest> {
  const text = (await buffer(request)).toString();
  return { path: request.url!, headers: request.headers, body: JSON.parse(text) as ChatBody, text };
}

/** Responds with this status and body. */
export const respondWith =
  (status: number, body: unknown, headers: Record<string, string> = {}): Responder =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** Responds with a completion in which these members are replaced. */
export const completeWith =
  (change: Record<string, unknown>): Responder =>
  (response, { body }) =>
    respondWith(200, { ...completionFor(body), ...change })(response, { path: "", headers: {}, body, text: "" });

export const respondNormally: Responder = completeWith({});

/** Sends no response, and keeps the socket open. */
export const neverRespond: Responder = () => undefined;

/** Resets the connection before a response. */
export const resetConnection: Responder = (response) => void response.socket!.resetAndDestroy();

/** Resets the connection in the middle of the body. */
export const breakMidway: Responder = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"choices":[{"index":0,', () => response.socket!.resetAndDestroy());
};

/** Responds with a gigabyte, as fast as it is read. */
export const sendGigabyte: Responder = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const block = Buffer.alloc(1 << 20, "a");
  let left = 1024;
  const more = () => {
    while (left-- > 0) if (!response.write(block)) return void response.once("drain", more);
    response.end();
  };
  more();
};

/** Delays the response to the next request until the returned function is called. */
export function holdNext(upstream: Upstream, responder: Responder = respondNormally): () => void {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  upstream.respondNext((response, requests) => void opened.then(() => responder(response, requests)));
  return () => open();
}

const respondLater =
  (ms: number, responder: Responder): Responder =>
  (response, requests) =>
    void setTimeout(() => responder(response, requests), ms);

export const errorBody = (message: string) => ({
  error: { message, type: "invalid_request_error", param: null, code: null },
});

/** The responders that `do:NAME` in a message selects. */
export const misbehaviours: Record<string, Responder> = {
  slow: respondLater(150, respondNormally),
  reset: resetConnection,
  half: breakMidway,
  fail: respondWith(500, errorBody("boom")),
  busy: respondWith(429, errorBody("slow down"), { "retry-after": "1" }),
  away: respondWith(503, errorBody("overloaded")),
  refuse: respondWith(400, errorBody("this is not allowed")),
  html: respondWith(200, "<html>ok</html>"),
  unpaid: completeWith({ usage: undefined }),
  absurd: completeWith({ usage: { prompt_tokens: 1e15, completion_tokens: -5, total_tokens: "many" } }),
  dear: completeWith({
    usage: { prompt_tokens: 900_000_000, completion_tokens: 900_000_000, total_tokens: 1_800_000_000 },
  }),
};
