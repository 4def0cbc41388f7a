import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import path from "node:path";
import { listenOnLoopback } from "../loopback";

export interface Received {
  at: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Receiver {
  url: string;
  /** For OUTBOUND_ALLOW_HOSTS. */
  host: string;
  /** Oldest first. */
  received: Received[];
  /** Returns the event names of the received requests. */
  events(): string[];
  /** Responds to requests from now on; by default with 204. */
  respond: (response: ServerResponse, request: IncomingMessage, received: Received) => void;
}

const file = (name: string) => readFileSync(path.join(import.meta.dirname, "..", "authority", name));

/** A certificate for localhost of the authority that the tests trust. */
export const certificate = { key: file("receiver.key.pem"), cert: file("receiver.cert.pem") };

/** Opens a real HTTPS server on loopback that records the requests it receives. */
export async function openReceiver(respond?: Receiver["respond"]): Promise<Receiver> {
  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received = { at: Date.now(), headers: request.headers, body: Buffer.concat(chunks) };
      receiver.received.push(received);
      receiver.respond(response, request, received);
    });
  });
  const port = await listenOnLoopback(server);
  const receiver: Receiver = {
    url: `https://localhost:${port}/hook`,
    host: `localhost:${port}`,
    received: [],
    events: () => receiver.received.map(({ headers }) => String(headers["x-service-event"])),
    respond: respond ?? ((response) => void response.writeHead(204).end()),
  };
  return receiver;
}
