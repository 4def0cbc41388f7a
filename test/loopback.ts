import { Server as HttpServer } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";

/** Listens on a port of loopback, a free one by default, without keeping the process alive. Returns the port. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  // On a busy machine the default of five seconds may pass between two requests, and the next would meet a closed connection.
  if (server instanceof HttpServer) server.keepAliveTimeout = 60_000;
  server.on("connection", (socket: Socket) => void socket.on("error", () => undefined).unref());
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}
