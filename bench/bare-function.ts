import { createServer } from "node:http";
import { Inngest } from "inngest";
import { serve } from "inngest/node";
import type { InngestServer } from "../test/inngest/inngest-server";
import { reservePort } from "../test/inngest/ports";

const MAX_WAIT_MS = 60_000;

/** Registers a function of one step at an Inngest server; `times` holds the milliseconds from each event to that step. */
export async function serveBareFunction({ settings }: InngestServer) {
  const client = new Inngest({
    id: "bare",
    baseUrl: settings.INNGEST_BASE_URL,
    eventKey: settings.INNGEST_EVENT_KEY,
    signingKey: settings.INNGEST_SIGNING_KEY,
    isDev: false,
    // The hub's client has the same setting.
    checkpointing: false,
  });
  const times: number[] = [];
  let sent = 0;
  const bare = client.createFunction({ id: "bare", triggers: [{ event: "bare/sent" }] }, ({ event, step }) =>
    step.run("first", () => times.push(performance.now() - (event.data as { at: number }).at)),
  );
  const port = await reservePort();
  const origin = `http://127.0.0.1:${port}`;
  const handle = serve({ client, functions: [bare], serveOrigin: origin, servePath: "/api/inngest" });
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const registered = await fetch(`${origin}/api/inngest`, { method: "PUT" });
  if (!registered.ok) throw new Error(`The server did not register the bare function: ${await registered.text()}`);
  return {
    times,
    async send() {
      sent += 1;
      await client.send({ name: "bare/sent", data: { at: performance.now() } });
    },
    /** Waits until every event sent has been received, and closes the server. */
    async stop() {
      const deadline = Date.now() + MAX_WAIT_MS;
      while (times.length < sent && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
      server.closeAllConnections();
      server.close();
    },
  };
}
