import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** Opens a server on loopback that stands for an external one, and counts the requests to each path. */
export async function openExternalServer(handlers: Record<string, RequestListener>) {
  const requestCounts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url!;
    requestCounts.set(path, (requestCounts.get(path) ?? 0) + 1);
    const handler = handlers[path.split("?")[0]!];
    if (handler) handler(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: (path: string) => `http://${host}${path}`,
    count: (path: string) => requestCounts.get(path) ?? 0,
  };
}
