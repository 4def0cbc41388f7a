import { createServer, type Server } from "node:http";
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Inngest } from "inngest";
import { serve } from "inngest/node";
import pino from "pino";
import { afterAll } from "vitest";
import type { Bench } from "./bench";

/** Connects to an Inngest server at `url`, which calls back to this machine. */
export async function serverBench(url: string): Promise<Bench> {
  const inngest = new Inngest({
    id: `contract-${randomUUID()}`,
    isDev: true,
    baseUrl: url,
    checkpointing: false,
    // Steps of the tests throw on purpose.
    logger: pino({ level: "silent" }),
  });
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
      const server = (current = createServer((request, response) => {
        // The next server listens on the same port: nobody may keep a connection to this one.
        response.setHeader("connection", "close");
        void handler(request, response);
      }));
      const handler = serve({ client: inngest, functions });
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
      ({ port } = server.address() as AddressInfo);
      const answer = await fetch(`http://127.0.0.1:${port}/api/inngest`, { method: "PUT" });
      if (!answer.ok) throw new Error(`the server at ${url} refused: ${await answer.text()}`);
    },
    settle: () => pause(1_500),
    long: "5s",
    pass: () => pause(6_000),
    now: () => new Date(),
    passMoment: () => pause(100),
    async readRun(id) {
      const response = await fetch(`${url}/v1/runs/${id}`);
      const { data } = (await response.json()) as { data: { status: string; output: unknown } };
      return { status: data.status.toLowerCase(), output: data.output };
    },
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
