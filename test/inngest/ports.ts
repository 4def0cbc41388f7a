import { createServer } from "node:net";

const FIRST_PORT = 22_000;
const PORTS = 1_000;
const reserved = new Set<number>();

/**
 * Returns a free port below Linux's range for outgoing connections, so that the port is still free when a killed process
 * restarts.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (reserved.has(port)) continue;
    reserved.add(port);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
