import type { ServerResponse } from "node:http";

/** Answers a request that reaches no page and no route with a message in JSON. */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify({ message }));
}
