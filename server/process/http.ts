import { createServer, type RequestListener, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../lib/operator-error";

export interface HttpServer {
  port: number;
  server: Server;
  /** Gives every request to `listener`, those that came early as well. */
  serve(listener: RequestListener): void;
  /** Takes no more connections, lets requests in flight finish, and cuts what is left after so many milliseconds. */
  drain(patienceMs: number): Promise<void>;
  /** Cuts requests in flight. */
  cut(): void;
}

const limits = {
  // A client must not hold a connection by dripping its header; a slow upload may take its time.
  headersTimeout: 15_000,
  requestTimeout: 600_000,
  connectionsCheckingInterval: 5_000,
  // Longer than a proxy in front keeps an idle connection, so that it is never the hub that closes first.
  keepAliveTimeout: 75_000,
};

/** Listens before anything else is started, so that a taken port is found at once; early requests wait. */
export async function openHttp(port: number): Promise<HttpServer> {
  let hand: (listener: RequestListener) => void;
  const handed = new Promise<RequestListener>((resolve) => (hand = resolve));
  const server = createServer(limits, (request, response) => {
    void handed.then((listener) => listener(request, response));
  });
  await listen(server, port);
  return {
    port: (server.address() as { port: number }).port,
    server,
    serve(listener) {
      server.removeAllListeners("request").on("request", listener);
      hand(listener);
    },
    drain: (patienceMs) => drain(server, patienceMs),
    cut: () => server.closeAllConnections(),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, port)));
    server.listen(port, () => resolve());
  });
}

function explain(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new OperatorError(`Port ${port} is taken: stop what listens there, or set PORT to another one.`);
  }
  if (error.code === "EACCES") {
    return new OperatorError(`This user may not listen on port ${port}: set PORT to one above 1023.`);
  }
  return error;
}

async function drain(server: Server, patienceMs: number): Promise<void> {
  server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
  let open = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve())).then(() => (open = false));
  const deadline = performance.now() + patienceMs;
  // A kept-alive connection falls idle after its last answer, and nobody tells: look.
  while (open && performance.now() < deadline) {
    server.closeIdleConnections();
    await Promise.race([closed, sleep(25)]);
  }
  server.closeAllConnections();
  await closed;
}
