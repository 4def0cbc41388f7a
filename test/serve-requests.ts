import { createServer, type RequestListener } from "node:http";
import { afterAll } from "vitest";
import { listenOnLoopback } from "./loopback";

/** Serves requests on a free port of loopback until the calling suite ends. Returns the URL without a path. */
export async function serveRequests(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listenOnLoopback(server);
  afterAll(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${port}`;
}
