import { createServer, type Server } from "node:http";
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Inngest } from "inngest";
import { serve } from "inngest/node";
import { afterAll } from "vitest";
import type { Bench } from "./bench";

/** A real Inngest server at `url`, which calls back to this machine. */
export async function serverBench(url: string): Promise<Bench> {
  const inngest = new Inngest({ id: `contract-${randomUUID()}`, isDev: true, baseUrl: url, checkpointing: false });
  let current: Server | undefined;

  const halt = async () => {
    const server = current;
    current = undefined;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  };
  let port = 0;
  afterAll(halt);
  return {
    inngest,
    halt,
    async serve(functions) {
      await halt();
      const server = (current = createServer((request, response) => void handler(request, response)));
      const handler = serve({ client: inngest, functions });
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
      ({ port } = server.address() as AddressInfo);
      const answer = await fetch(`http://127.0.0.1:${port}/api/inngest`, { method: "PUT" });
      if (!answer.ok) throw new Error(`the server at ${url} refused: ${await answer.text()}`);
    },
    settle: () => pause(1_500),
    long: "5s",
    pass: () => pause(6_000),
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
