import { once } from "node:events";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { isFreePort } from "../server/lib/free-port";

/** Below those that `findFreePort()` gives a hub's Postgres, and above 10080, which browsers and `fetch` refuse. */
const FIRST_PORT = 10_100;
const BLOCKS = 99;
const BLOCK_SIZE = 100;

const ports = generatePorts();

/**
 * Returns a free port of loopback that no other test process gets until this one ends, so that what listens there may
 * start late, stop, and start again.
 */
export const reservePort = async (): Promise<number> => (await ports.next()).value;

/** Yields the free ports of one block after the other. */
export async function* generatePorts(): AsyncGenerator<number, never> {
  for (;;) {
    const first = await claimBlock();
    for (let port = first + 1; port < first + BLOCK_SIZE; port += 1) if (await isFreePort(port)) yield port;
  }
}

/** Returns the first port of a block on which this process now listens: that claims the others for as long as it runs. */
async function claimBlock(): Promise<number> {
  for (let tries = 0; tries < BLOCKS * 10; tries += 1) {
    const port = FIRST_PORT + BLOCK_SIZE * randomInt(BLOCKS);
    const claim = createServer().unref();
    const isClaimed = await once(claim.listen(port, "127.0.0.1"), "listening").then(Boolean, () => false);
    if (isClaimed) return port;
  }
  throw new Error("Other processes have claimed all ports for tests.");
}
