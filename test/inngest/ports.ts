import { createServer } from "node:net";

const FIRST_PORT = 22_000;
const PORTS = 1_000;
const taken = new Set<number>();

/**
 * Returns a free port below the range from which Linux serves outgoing connections: a process that is killed finds it
 * free when it starts again.
 */
export async function takePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (taken.has(port)) continue;
    taken.add(port);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
