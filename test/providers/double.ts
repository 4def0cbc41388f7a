import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { listenOnLoopback } from "../loopback";
import { handleRequest, type Faults, type Received } from "./handle-request";
import type { OutputFault } from "./output-faults";

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

/** What a double does with a submit instead of its work, or after accepting it. */
export const submitFaults = [
  "400",
  "401",
  "402",
  "404",
  "410",
  "422",
  "422 with a long body",
  "422 and a reset",
  "429",
  "429 with Retry-After",
  "503",
  "303 after",
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

/** What a double does with requests to stop a job instead of stopping it, or after it. */
export const cancelFaults = ["409", "500", "reset", "no response", "garbage", "502 after"] as const;
export type CancelFault = (typeof cancelFaults)[number];

/** What a maker's double adds to the server that all of them share. */
export interface DoubleMaker {
  /** Whether a request asks for work that is paid for. */
  isSubmit: (request: DoubleRequest) => boolean;
  /** Whether a request downloads an output; by default outputs are in the responses to submits. */
  isOutput?: (request: DoubleRequest) => boolean;
  /** Answers a request; a submit that gets here counts as accepted. */
  respond: (request: DoubleRequest) => DoubleResponse | Promise<DoubleResponse>;
  /** The body of an error, as this maker writes it. */
  describeError: (status: number) => unknown;
  /** Takes over the connection of a request for another protocol; by default such a request is an ordinary one. */
  upgrade?: (request: IncomingMessage, socket: Duplex) => void;
}

export interface Double {
  /** Its origin, without a slash at the end. */
  url: string;
  /** Every request, oldest first. */
  requests: DoubleRequest[];
  /** The submits, whatever became of them. */
  submits: DoubleRequest[];
  /** The submits that it accepted and would be paid for. */
  accepted: DoubleRequest[];
  /** The downloads of outputs. */
  downloads: DoubleRequest[];
  /** The requests to stop a job. */
  cancels: DoubleRequest[];
  /** Sets the faults of the next submits, one each; all others succeed. */
  failNextSubmits: (...faults: SubmitFault[]) => void;
  /** Sets the fault of all outputs from now on. */
  failOutputs: (fault: OutputFault) => void;
  /** Sets the fault of all requests to stop a job from now on. */
  failCancels: (fault: CancelFault) => void;
  /** Sets what happens once the next submit is accepted, before the response to it. */
  beforeNextResponse: (hook: () => Promise<void>) => void;
  /** Forgets the faults of submits that no submit has met, and those of outputs and of requests to stop a job. */
  clearFaults: () => void;
  close: () => Promise<void>;
}

/** Opens a server on loopback that speaks a maker's protocol strictly, and misbehaves on command. */
export async function openDouble(maker: DoubleMaker, port = 0): Promise<Double> {
  const received: Received = { requests: [], submits: [], accepted: [], downloads: [], cancels: [] };
  const faults: Faults = { submits: [], output: null, cancel: null, beforeResponse: null };
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming, outgoing)
      .then((request) => handleRequest(maker, { request, outgoing, received, faults }))
      .catch(() => incoming.socket.destroy());
  });
  if (maker.upgrade) server.on("upgrade", maker.upgrade);
  server.on("connection", (socket: Socket) => sockets.add(socket.once("close", () => sockets.delete(socket))));
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(server, port)}`,
    ...received,
    failNextSubmits: (...next) => void faults.submits.push(...next),
    failOutputs: (fault) => void (faults.output = fault),
    failCancels: (fault) => void (faults.cancel = fault),
    beforeNextResponse: (hook) => void (faults.beforeResponse = hook),
    clearFaults: () => void Object.assign(faults, { submits: [], output: null, cancel: null, beforeResponse: null }),
    close: () => closeServer(server, sockets),
  };
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

async function closeServer(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}
