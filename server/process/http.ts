import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { findFreePort } from "../lib/free-port";
import { OperatorError } from "../lib/operator-error";
import { drainServer, trackOpenWork } from "./drain";

export interface HttpServer {
  port: number;
  server: Server;
  /** Passes every request to `listener`, including those that arrived early. */
  serve(listener: RequestListener): Promise<void>;
  /** Answers what was already sent, accepts no more connections, and destroys the other connections after the grace period. */
  drain(gracePeriodMs: number): Promise<void>;
  /** Destroys the connections of requests in flight. */
  closeConnections(): void;
}

const limits = {
  // A client must not hold a connection by sending its header slowly; an upload may be slow.
  headersTimeout: 15_000,
  requestTimeout: 600_000,
  connectionsCheckingInterval: 5_000,
  // Longer than a proxy in front keeps an idle connection, so that the hub never closes it first.
  keepAliveTimeout: 75_000,
};

/**
 * Opens the server of a process. It listens at once, so that a port in use is found before anything else starts and
 * early requests wait, or only when it serves, because other processes on the port can answer meanwhile.
 */
export async function openHttp(port: number, { listens }: { listens: "at once" | "to serve" }): Promise<HttpServer> {
  let resolveListener: (listener: RequestListener) => void;
  const listenerReady = new Promise<RequestListener>((resolve) => (resolveListener = resolve));
  let handle: RequestListener = (request, response) =>
    void listenerReady.then((listener) => listener(request, response));

  const server = createServer(limits);
  const open = trackOpenWork(server);
  server.on("request", (request, response) => handle(request, response));
  // Node remembers the address that is read here, and has none once the client has reset the connection.
  server.on("connection", (socket) => void socket.remoteAddress);
  // Without a listener for "upgrade", Node ignores that header and keeps the socket under its limits. A CONNECT has no
  // such fallback: its socket would be destroyed without a response.
  server.on("connect", (_request, socket: Socket) => rejectConnect(socket));

  return {
    port: listens === "at once" ? await listenOnPort(server, port) : port,
    server,
    async serve(listener) {
      handle = listener;
      resolveListener(listener);
      if (listens === "to serve") await listenOnPort(server, port);
    },
    drain: (gracePeriodMs) => drainServer(server, open, gracePeriodMs),
    closeConnections: () => server.closeAllConnections(),
  };
}

function rejectConnect(socket: Socket): void {
  // Node does not manage the socket of a CONNECT any more: the hub has to close it itself, whatever the client does.
  socket.on("error", () => undefined);
  const head = ["HTTP/1.1 405 Method Not Allowed", "Connection: close", "Content-Length: 0"];
  socket.end(`${head.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}

/**
 * Returns the port if it is free, or any free one for 0: not one of `listen(0)`, which the system may give to a
 * connection before processes listen there. Throws OperatorError if the port is in use.
 */
export async function findPort(port: number): Promise<number> {
  const server = createServer();
  const found = await listenOnPort(server, port || (await findFreePort()));
  await new Promise((resolve) => server.close(resolve));
  return found;
}

function listenOnPort(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(toListenError(error, port)));
    server.listen(port, () => resolve((server.address() as { port: number }).port));
  });
}

function toListenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new OperatorError(`Port ${port} is taken: stop what listens there, or set PORT to another one.`);
  }
  if (error.code === "EACCES") {
    return new OperatorError(`This user may not listen on port ${port}: set PORT to one above 1023.`);
  }
  return error;
}
