import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** Listens on a port of loopback, a free one by default, without keeping the process alive. Returns the port. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  server.on("connection", (socket: Socket) => void socket.on("error", () => undefined).unref());
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** Returns a port of loopback that nothing listens on now. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
