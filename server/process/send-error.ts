import type { ServerResponse } from "node:http";

/** Sends a JSON error for a request that matches no page or route. */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify({ message }));
}
