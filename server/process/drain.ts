import type { Server, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate as pollOnce, setTimeout as sleep } from "node:timers/promises";

const QUIET_MS = 100;
/** How long further connections are accepted after those that waited. */
const MAX_ACCEPT_MS = 2_000;
const CHECK_MS = 25;

/** The open connections and requests of a server. */
interface OpenWork {
  sockets: Set<Socket>;
  /** Requests whose header has arrived and whose response has not been sent. */
  responses: Set<ServerResponse>;
  /** Whether connections are closed after their responses. */
  isDraining: boolean;
}

/** Tracks what is open at a server from now on. */
export function trackOpenWork(server: Server): OpenWork {
  const open: OpenWork = { sockets: new Set(), responses: new Set(), isDraining: false };
  server.on("connection", (socket: Socket) => {
    open.sockets.add(socket);
    socket.once("close", () => open.sockets.delete(socket));
  });
  server.on("request", (_request, response: ServerResponse) => {
    if (open.isDraining) response.setHeader("Connection", "close");
    open.responses.add(response);
    response.once("close", () => open.responses.delete(response));
  });
  return open;
}

/**
 * Closes a server without resetting requests that were already sent: answers those in its accept queue and on
 * kept-alive connections, lets requests in flight finish, and destroys what is left after the grace period.
 */
export async function drainServer(server: Server, open: OpenWork, gracePeriodMs: number): Promise<void> {
  const deadline = performance.now() + gracePeriodMs;
  open.isDraining = true;
  for (const response of open.responses) if (!response.headersSent) response.setHeader("Connection", "close");

  await acceptWaiting(server, deadline);
  await readArrived();
  let isClosed = false;
  // Node closes idle connections together with the server; one that it has not read from yet counts as idle.
  const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => void (isClosed = true));
  while (!isClosed && performance.now() < deadline) {
    destroyIdle(open);
    await Promise.race([closed, sleep(CHECK_MS)]);
    await readArrived();
  }
  for (const socket of open.sockets) socket.destroy();
  await closed;
}

/** Resolves when all waiting connections are accepted and no more arrive, at most two seconds after the waiting ones. */
async function acceptWaiting(server: Server, deadline: number): Promise<void> {
  const address = server.address();
  if (address === null || typeof address === "string") return;
  let accepted = 0;
  const onConnection = () => (accepted += 1);
  server.on("connection", onConnection);
  await passAcceptQueue(address.port, deadline);
  const end = Math.min(performance.now() + MAX_ACCEPT_MS, deadline);
  // One of each round may be the probe's own.
  for (accepted = 2; accepted > 1 && performance.now() < end;) {
    accepted = 0;
    await sleep(QUIET_MS);
    await passAcceptQueue(address.port, end);
  }
  server.off("connection", onConnection);
}

/**
 * Resolves when the connections that wait now are accepted, by this process or another one on the port: it opens one
 * more, which comes after them, and waits until the server has ended it. A wait alone is not enough: a busy process
 * accepts one connection in each turn of its event loop.
 */
function passAcceptQueue(port: number, deadline: number): Promise<void> {
  return new Promise((resolve) => {
    const last = connect({ port, host: "127.0.0.1" }, () => last.end());
    const timer = setTimeout(() => last.destroy(), Math.max(0, deadline - performance.now()));
    last.resume().on("error", () => undefined);
    last.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Resolves when bytes that have arrived at open connections are read: timers run before sockets are polled. */
async function readArrived(): Promise<void> {
  await pollOnce();
  await pollOnce();
}

/** Closes connections without a request, because Node emits no event when a kept-alive one becomes idle. */
function destroyIdle({ sockets, responses }: OpenWork): void {
  const busy = new Set([...responses].map(({ req }) => req.socket));
  for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
}
