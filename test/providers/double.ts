import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

/** A request as a double got it. */
export interface DoubleRequest {
  method: string;
  /** With the query. */
  url: URL;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The parsed body; undefined if it is not JSON. */
  json: unknown;
  /** Aborts when the client closes the connection before the response. */
  disconnected: AbortSignal;
}

export interface DoubleResponse {
  status: number;
  headers?: Record<string, string>;
  /** JSON unless it is bytes or a stream of them. */
  body?: unknown;
}

/** What a double does with a submit instead of its work, or after it took it on. */
export const submitFaults = [
  "400",
  "401",
  "402",
  "404",
  "422",
  "429",
  "429 with Retry-After",
  "503",
  "500 before",
  "502 before",
  "504 before",
  "500 after",
  "502 after",
  "504 after",
  "reset before",
  "reset after",
  "reset within the response",
  "no response",
  "garbage",
  "half of the JSON",
] as const;
export type SubmitFault = (typeof submitFaults)[number];

/** What a maker's double adds to the server that all of them share. */
export interface DoubleMaker {
  /** Whether a request asks for work that is paid for. */
  isSubmit: (request: DoubleRequest) => boolean;
  /** Answers a request; a submit that gets here counts as accepted. */
  respond: (request: DoubleRequest) => DoubleResponse | Promise<DoubleResponse>;
  /** The body of an error, as this maker writes it. */
  describeError: (status: number) => unknown;
}

export interface Double {
  /** Its origin, without a slash at the end. */
  url: string;
  /** Every request, oldest first. */
  requests: DoubleRequest[];
  /** The submits that it took on and would be paid for. */
  accepted: DoubleRequest[];
  /** Sets the faults of the next submits, one each; all others succeed. */
  failNextSubmits: (...faults: SubmitFault[]) => void;
  /** Forgets the faults that no submit has met. */
  clearFaults: () => void;
  close: () => Promise<void>;
}

/** Opens a server on loopback that speaks a maker's protocol strictly, and misbehaves when it is told to. */
export async function openDouble({ isSubmit, respond, describeError }: DoubleMaker, port = 0): Promise<Double> {
  const requests: DoubleRequest[] = [];
  const accepted: DoubleRequest[] = [];
  const faults: SubmitFault[] = [];
  const sockets = new Set<Socket>();

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = await readRequest(incoming, outgoing);
    requests.push(request);
    const submits = isSubmit(request);
    const fault = submits ? faults.shift() : undefined;
    const [status, when] = splitFault(fault);
    if (fault === "reset before") return incoming.socket.destroy();
    if (status && when !== "after") {
      const headers: Record<string, string> = fault === "429 with Retry-After" ? { "retry-after": "1" } : {};
      return send(outgoing, { status, headers, body: describeError(status) });
    }
    const response = await respond(request);
    if (submits && response.status < 400) accepted.push(request);
    if (status) return send(outgoing, { status, body: describeError(status) });
    if (fault === "reset after") return incoming.socket.destroy();
    if (fault === "no response") return undefined;
    return sendFaulty(outgoing, response, fault);
  };
  const server = createServer((incoming, outgoing) => {
    void handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.on("connection", (socket: Socket) => sockets.add(socket.once("close", () => sockets.delete(socket))));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    accepted,
    failNextSubmits: (...next) => void faults.push(...next),
    clearFaults: () => void faults.splice(0),
    close: () => closeServer(server, sockets),
  };
}

function splitFault(fault: SubmitFault | undefined): [status: number, when: string | undefined] {
  const [, status, when] = /^(\d{3})(?: (.*))?$/.exec(fault ?? "") ?? [];
  return [Number(status ?? 0), when];
}

async function readRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<DoubleRequest> {
  const connection = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) connection.abort();
  });
  const { signal: disconnected } = connection;
  const body = await buffer(incoming);
  const url = new URL(incoming.url!, `http://${incoming.headers.host}`);
  return { method: incoming.method!, url, headers: incoming.headers, body, json: parseOrUndefined(body), disconnected };
}

function parseOrUndefined(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function send(outgoing: ServerResponse, { status, headers, body }: DoubleResponse): void {
  if (isStream(body)) {
    outgoing.writeHead(status, headers);
    // A body that breaks off destroys the connection.
    void pipeline(body, outgoing).catch(() => undefined);
    return;
  }
  const bytes = toBytes(body);
  outgoing.writeHead(status, {
    ...{ "content-type": contentType(body), "content-length": String(bytes.length) },
    ...headers,
  });
  outgoing.end(bytes);
}

function sendFaulty(outgoing: ServerResponse, response: DoubleResponse, fault: SubmitFault | undefined): void {
  if (fault === "garbage") return send(outgoing, { status: response.status, body: Buffer.from("<html>nginx</html>") });
  if (fault === "half of the JSON" || fault === "reset within the response")
    return sendHalf(outgoing, response, fault === "half of the JSON");
  return send(outgoing, response);
}

function sendHalf(outgoing: ServerResponse, { status, headers, body }: DoubleResponse, isComplete: boolean): void {
  const bytes = toBytes(body);
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
  const length = isComplete ? half.length : bytes.length;
  outgoing.writeHead(status, { "content-type": contentType(body), ...headers, "content-length": String(length) });
  if (isComplete) outgoing.end(half);
  else outgoing.write(half, () => outgoing.socket?.destroy());
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;
const toBytes = (body: unknown): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? "" : JSON.stringify(body));
const contentType = (body: unknown): string =>
  Buffer.isBuffer(body) ? "application/octet-stream" : "application/json";

async function closeServer(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}
