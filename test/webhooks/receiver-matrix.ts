import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import path from "node:path";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { listenOnLoopback } from "../loopback";
import { certificate, openReceiver, type Receiver } from "./receiver";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

interface ReceiverCase {
  /** The delivery's state after the first attempt; a `pending` one is retried. */
  state: "succeeded" | "failed" | "pending";
  /** The recorded response status; null without a response. */
  status: number | null;
  url: string;
  host: string;
}

const status = (code: number, state: ReceiverCase["state"], headers: Record<string, string> = {}) => ({
  code,
  state,
  respond: (response: ServerResponse) => void response.writeHead(code, headers).end(`answer ${code}`),
});

const responses: Record<string, { code: number | null; state: ReceiverCase["state"]; respond: Receiver["respond"] }> = {
  "200": status(200, "succeeded"),
  "204": status(204, "succeeded"),
  "301": status(301, "failed", { location: "https://localhost:1/elsewhere" }),
  "400": status(400, "failed"),
  "404": status(404, "failed"),
  "410": status(410, "failed"),
  "429": status(429, "pending"),
  "500": status(500, "pending"),
  "503": status(503, "pending"),
  "an unknown encoding": status(200, "succeeded", { "content-encoding": "none" }),
  "a wrong encoding": status(410, "failed", { "content-encoding": "gzip" }),
  reset: { code: null, state: "pending", respond: (_, request) => void request.socket.destroy() },
  hang: { code: null, state: "pending", respond: () => undefined },
  "a byte every five seconds": { code: null, state: "pending", respond: dripBytes },
  "a gigabyte": { code: 200, state: "succeeded", respond: sendGigabyte },
  "a gzip bomb": { code: 200, state: "succeeded", respond: sendGzipBomb },
};

function dripBytes(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write("x"), 5_000);
  response.on("close", () => clearInterval(timer)).write("x");
}

function sendGigabyte(response: ServerResponse): void {
  response.writeHead(200, { "content-length": GIB });
  const piece = Buffer.alloc(MIB);
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", write);
  write();
}

const gzipBomb = gzipSync(Buffer.alloc(200 * MIB));
function sendGzipBomb(response: ServerResponse): void {
  response.writeHead(200, { "content-encoding": "gzip" }).end(gzipBomb);
}

async function openEndlessHeaders(): Promise<ReceiverCase> {
  const server = createTlsServer(certificate, (socket: TLSSocket) => {
    socket.on("error", () => undefined);
    socket.write("HTTP/1.1 200 OK\r\n");
    const write = () => {
      while (!socket.destroyed && socket.write(`X-A: ${"a".repeat(1_000)}\r\n`));
    };
    socket.on("drain", write);
    write();
  });
  return { state: "pending", status: null, ...addressOf(await listenOnLoopback(server)) };
}

async function openBadCertificate(): Promise<ReceiverCase> {
  const folder = path.resolve("server/lib/safe-fetch/fixtures");
  const [key, cert] = ["key", "cert"].map((kind) => readFileSync(path.join(folder, `localhost.${kind}.pem`)));
  const server = createServer({ key, cert }, (_, response) => void response.end("taken in"));
  return { state: "pending", status: null, ...addressOf(await listenOnLoopback(server)) };
}

const addressOf = (port: number) => ({ url: `https://localhost:${port}/hook`, host: `localhost:${port}` });

/** Opens a receiver for each way to respond well, badly or not at all, with the expected result of a first attempt. */
export async function openReceiverMatrix(): Promise<Record<string, ReceiverCase>> {
  const matrix: Record<string, ReceiverCase> = {};
  for (const [name, { code, state, respond }] of Object.entries(responses)) {
    const { url, host } = await openReceiver(respond);
    matrix[name] = { state, status: code, url, host };
  }
  return { ...matrix, "endless headers": await openEndlessHeaders(), "a bad certificate": await openBadCertificate() };
}
