import type { RequestListener } from "node:http";
import { serveRequests } from "../serve-requests";

/** Opens a server on loopback that stands for an external one, and counts the requests to each path. */
export async function openExternalServer(handlers: Record<string, RequestListener>) {
  const requestCounts = new Map<string, number>();
  const origin = await serveRequests((request, response) => {
    const path = request.url!;
    requestCounts.set(path, (requestCounts.get(path) ?? 0) + 1);
    const handler = handlers[path.split("?")[0]!];
    if (handler) handler(request, response);
    else response.writeHead(404).end();
  });
  return {
    host: new URL(origin).host,
    url: (path: string) => origin + path,
    count: (path: string) => requestCounts.get(path) ?? 0,
  };
}
