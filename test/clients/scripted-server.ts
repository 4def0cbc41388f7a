import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** An answer, or null to close the connection without one. */
export type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | null;

export interface ScriptedServer {
  url: string;
  requests: { method: string; path: string; headers: IncomingHttpHeaders; body: string; at: number }[];
}

/** Starts a server that gives these answers, one for each request, and the last one again at the end. */
export async function startScriptedServer(answers: Answer[]): Promise<ScriptedServer> {
  const requests: ScriptedServer["requests"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      requests.push({ method, path, headers, body, at: Date.now() });
      const answer = answers[Math.min(requests.length, answers.length) - 1]!;
      if (answer === null) return request.socket.destroy();
      response.writeHead(answer.status, { "Content-Type": "application/json", ...answer.headers });
      response.write(JSON.stringify(answer.body ?? {}));
      if (answer.headers?.["Content-Length"]) setImmediate(() => request.socket.destroy());
      else response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
