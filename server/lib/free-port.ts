import { randomInt } from "node:crypto";
import { createServer } from "node:net";

interface Range {
  min: number;
  max: number;
}

/**
 * Systems give outgoing connections and `listen(0)` ports from 32768 (Linux) or 49152 (macOS, Windows): one of those
 * could be given to another process at any moment before it is used. Below 20000, services have their fixed ports and
 * tests those that they reserve (test/reserve-port.ts).
 */
const BELOW_EPHEMERAL: Range = { min: 20_000, max: 32_767 };
const MAX_TRIES = 200;

/** Returns a random port on which nothing listens on loopback. Throws if it finds none. */
export async function findFreePort({ min, max }: Range = BELOW_EPHEMERAL): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(min, max + 1);
    if (await isFreePort(port)) return port;
  }
  throw new Error(`No free port between ${min} and ${max} was found.`);
}

/** Returns whether a server can listen on a port of loopback. */
export function isFreePort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
