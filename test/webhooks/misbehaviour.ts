import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import path from "node:path";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { certificate, listenOnLoopback, openReceiver, type Receiver } from "./receiver";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

interface Behaviour {
  /** `pending`: it is tried again after the first delay. */
  state: "succeeded" | "failed" | "pending";
  /** Of the logged answer; null when there was none. */
  status: number | null;
  url: string;
  host: string;
}

const status = (code: number, state: Behaviour["state"], headers: Record<string, string> = {}) => ({
  ...{ code, state },
  answer: (response: ServerResponse) => void response.writeHead(code, headers).end(`answer ${code}`),
});

const answering: Record<string, { code: number | null; state: Behaviour["state"]; answer: Receiver["answer"] }> = {
  "200": status(200, "succeeded"),
  "204": status(204, "succeeded"),
  "301": status(301, "failed", { location: "https://localhost:1/elsewhere" }),
  "400": status(400, "failed"),
  "404": status(404, "failed"),
  "410": status(410, "failed"),
  "429": status(429, "pending"),
  "500": status(500, "pending"),
  "503": status(503, "pending"),
  reset: { code: null, state: "pending", answer: (_, request) => void request.socket.destroy() },
  hang: { code: null, state: "pending", answer: () => undefined },
  "a byte every five seconds": { code: null, state: "pending", answer: drip },
  "a gigabyte": { code: 200, state: "succeeded", answer: flood },
  "a gzip bomb": { code: 200, state: "succeeded", answer: bomb },
};

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write("x"), 5_000);
  response.on("close", () => clearInterval(timer)).write("x");
}

function flood(response: ServerResponse): void {
  response.writeHead(200, { "content-length": GIB });
  const piece = Buffer.alloc(MIB);
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", write);
  write();
}

const packed = gzipSync(Buffer.alloc(200 * MIB));
function bomb(response: ServerResponse): void {
  response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
}

async function endlessHeaders(): Promise<Behaviour> {
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

async function badCertificate(): Promise<Behaviour> {
  const folder = path.resolve("server/lib/safe-fetch/fixtures");
  const [key, cert] = ["key", "cert"].map((kind) => readFileSync(path.join(folder, `localhost.${kind}.pem`)));
  const server = createServer({ key, cert }, (_, response) => void response.end("taken in"));
  return { state: "pending", status: null, ...addressOf(await listenOnLoopback(server)) };
}

const addressOf = (port: number) => ({ url: `https://localhost:${port}/hook`, host: `localhost:${port}` });

/** Opens a receiver for each way to respond well, badly or not at all, with the expected result of a first attempt. */
export async function openMatrix(): Promise<Record<string, Behaviour>> {
  const matrix: Record<string, Behaviour> = {};
  for (const [name, { code, state, answer }] of Object.entries(answering)) {
    const { url, host } = await openReceiver(answer);
    matrix[name] = { state, status: code, url, host };
  }
  return { ...matrix, "endless headers": await endlessHeaders(), "a bad certificate": await badCertificate() };
}
