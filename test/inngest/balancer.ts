import { connect, createServer, type Socket } from "node:net";

export interface Balancer {
  /** Stops sending new connections to a port, or resumes it. */
  setSkipped(port: number, isSkipped: boolean): void;
  close(): Promise<void>;
}

/** Distributes connections over ports of this machine in turn, and skips a port without a listener. */
export async function startBalancer(port: number, targets: number[]): Promise<Balancer> {
  let next = 0;
  const skipped = new Set<number>();
  const open = new Set<Socket>();
  const server = createServer((client) => {
    track(client);
    forward(client, targets.length);
  });
  const track = (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket)).on("error", () => undefined);
  };
  function forward(client: Socket, tries: number): void {
    if (tries === 0 || client.destroyed) return void client.destroy();
    const port = targets[next++ % targets.length]!;
    const tryNext = () => forward(client, tries - 1);
    if (skipped.has(port)) return tryNext();
    const target = connect(port, "127.0.0.1");
    target.once("error", tryNext);
    target.once("connect", () => {
      target.off("error", tryNext);
      track(target);
      target.once("close", () => client.destroy());
      client.once("close", () => target.destroy());
      client.pipe(target).pipe(client);
    });
  }
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    setSkipped: (target, isSkipped) => void (isSkipped ? skipped.add(target) : skipped.delete(target)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
