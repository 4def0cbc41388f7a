import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** Opens a server on loopback that stands for somebody else's and counts the requests to each path. */
export async function openOutside(answers: Record<string, RequestListener>) {
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url!;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const answer = answers[path.split("?")[0]!];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: (path: string) => `http://${host}${path}`, count: (path: string) => asked.get(path) ?? 0 };
}
