import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { listenOnLoopback } from "../loopback";

/** An answer, or null to close the connection without one. */
export type Answer = {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Parts of a streamed body, each sent by itself; after the last one the response ends, is cut or stays open. */
  parts?: Buffer[];
  after?: "end" | "cut" | "open";
} | null;

export interface ScriptedServer {
  url: string;
  requests: { method: string; path: string; headers: IncomingHttpHeaders; body: string; at: number }[];
  /** Resolves when a client closes the connection of a response that is open. */
  left: Promise<void>;
}

/** Starts a server that gives these answers, one for each request, and the last one again at the end. */
export async function startScriptedServer(answers: Answer[]): Promise<ScriptedServer> {
  const requests: ScriptedServer["requests"] = [];
  let onLeft = () => {};
  const left = new Promise<void>((resolve) => (onLeft = resolve));
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      requests.push({ method, path, headers, body, at: Date.now() });
      const answer = answers[Math.min(requests.length, answers.length) - 1]!;
      if (answer === null) return request.socket.destroy();
      if (answer.parts) return void sendParts(response, answer, onLeft);
      response.writeHead(answer.status, { "Content-Type": "application/json", ...answer.headers });
      response.write(JSON.stringify(answer.body ?? {}));
      if (answer.headers?.["Content-Length"]) setImmediate(() => request.socket.destroy());
      else response.end();
    });
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, requests, left };
}

async function sendParts(response: ServerResponse, answer: NonNullable<Answer>, onLeft: () => void): Promise<void> {
  response.writeHead(answer.status, { "Content-Type": "text/event-stream", ...answer.headers });
  if (answer.after === "open") response.once("close", onLeft);
  for (const part of answer.parts!) {
    response.write(part);
    // Lets the client read each part by itself.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (answer.after === "cut") response.socket?.destroy();
  else if (answer.after !== "open") response.end();
}
