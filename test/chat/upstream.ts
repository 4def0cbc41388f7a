import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { completion, type ChatBody } from "./completion";

export interface Seen {
  path: string;
  headers: IncomingMessage["headers"];
  body: ChatBody;
}

export type Answerer = (response: ServerResponse, seen: Seen) => void;

export interface Upstream {
  /** The address for a catalogue's `base_url`. */
  url: string;
  port: number;
  /** Every request, oldest first. */
  seen: Seen[];
  /** How the next requests are answered, one each; the others are answered well. */
  next(...answerers: Answerer[]): void;
  /** How many connections were ever made. */
  connections(): number;
  close(): Promise<void>;
}

/** Opens a real server on loopback that speaks OpenAI's protocol, and misbehaves when it is told to. */
export async function openUpstream(port = 0): Promise<Upstream> {
  const seen: Seen[] = [];
  const queue: Answerer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void read(request).then((one) => {
      seen.push(one);
      const told = misbehaviours[/\bdo:(\w+)/.exec(JSON.stringify(one.body.messages))?.[1] ?? ""];
      (queue.shift() ?? told ?? well)(response, one);
    });
  });
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket.once("close", () => sockets.delete(socket)));
  });
  await listen(server, port);
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/v1`,
    port: taken,
    seen,
    connections: () => connections,
    next: (...answerers) => void queue.push(...answerers),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<Seen> {
  const text = (await buffer(request)).toString();
  return { path: request.url!, headers: request.headers, body: JSON.parse(text) as ChatBody };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve()));

/** Answers with this status and body. */
export const answerWith =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answerer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** Answers well, with other members in place of some. */
export const completeWith =
  (change: Record<string, unknown>): Answerer =>
  (response, { body }) =>
    answerWith(200, { ...completion(body), ...change })(response, { path: "", headers: {}, body });

export const well: Answerer = completeWith({});

/** Answers nothing; the socket stays open. */
export const silent: Answerer = () => undefined;

/** Breaks the connection before an answer. */
export const reset: Answerer = (response) => void response.socket!.resetAndDestroy();

/** Promises an answer and breaks in the middle of it. */
export const half: Answerer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"choices":[{"index":0,', () => response.socket!.resetAndDestroy());
};

/** Answers with a gigabyte, as fast as it is read. */
export const sendGigabyte: Answerer = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const block = Buffer.alloc(1 << 20, "a");
  let left = 1024;
  const more = () => {
    while (left-- > 0) if (!response.write(block)) return void response.once("drain", more);
    response.end();
  };
  more();
};

/** Holds the answer of the next request back until the returned function is called. */
export function holdNext(upstream: Upstream, answer: Answerer = well): () => void {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  upstream.next((response, seen) => void opened.then(() => answer(response, seen)));
  return () => open();
}

const later =
  (ms: number, answer: Answerer): Answerer =>
  (response, seen) =>
    void setTimeout(() => answer(response, seen), ms);

export const error = (message: string) => ({
  error: { message, type: "invalid_request_error", param: null, code: null },
});

/** What `do:NAME` in a message asks for. */
export const misbehaviours: Record<string, Answerer> = {
  slow: later(150, well),
  reset,
  half,
  fail: answerWith(500, error("boom")),
  busy: answerWith(429, error("slow down"), { "retry-after": "1" }),
  away: answerWith(503, error("overloaded")),
  refuse: answerWith(400, error("this is not allowed")),
  html: answerWith(200, "<html>ok</html>"),
  unpaid: completeWith({ usage: undefined }),
  absurd: completeWith({ usage: { prompt_tokens: 1e15, completion_tokens: -5, total_tokens: "many" } }),
  dear: completeWith({
    usage: { prompt_tokens: 900_000_000, completion_tokens: 900_000_000, total_tokens: 1_800_000_000 },
  }),
};
