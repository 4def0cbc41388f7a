import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as pollOnce, setTimeout as sleep } from "node:timers/promises";

/** What clients have open at a server. */
export interface OpenWork {
  sockets: Set<Socket>;
  /** Of the requests whose header has arrived and whose answer has not been sent. */
  responses: Set<ServerResponse>;
  /** Answers end their connection from now on. */
  isDraining: boolean;
}

const QUIET_MS = 100;
const MAX_ACCEPT_MS = 2_000;
const CHECK_MS = 25;

/**
 * Closes a server without resetting a request that was sent before: answers what waits in its accept queue and on kept
 * connections, lets requests in flight finish, and cuts what is left after so many milliseconds.
 */
export async function drainServer(server: Server, open: OpenWork, gracePeriodMs: number): Promise<void> {
  const deadline = performance.now() + gracePeriodMs;
  open.isDraining = true;
  for (const response of open.responses) if (!response.headersSent) response.setHeader("Connection", "close");

  await waitForQuiet(server, Math.min(gracePeriodMs, MAX_ACCEPT_MS));
  let isClosed = false;
  const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => void (isClosed = true));
  while (!isClosed && performance.now() < deadline) {
    destroyIdle(open);
    await Promise.race([closed, sleep(CHECK_MS)]);
  }
  for (const socket of open.sockets) socket.destroy();
  await closed;
}

/** Resolves when no connection has come for a while. */
async function waitForQuiet(server: Server, maxMs: number): Promise<void> {
  const began = performance.now();
  let latest = began;
  const onConnection = () => (latest = performance.now());
  server.on("connection", onConnection);
  while (performance.now() < Math.min(latest + QUIET_MS, began + maxMs)) {
    await sleep(CHECK_MS);
    // A busy process finds time has passed before it has looked at its sockets.
    await pollOnce();
    await pollOnce();
  }
  server.off("connection", onConnection);
}

/** Ends connections without a request: a kept-alive one falls idle after its answer, and nobody tells. */
function destroyIdle({ sockets, responses }: OpenWork): void {
  const busy = new Set([...responses].map(({ req }) => req.socket));
  for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
}
