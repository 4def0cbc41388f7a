import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { reservePort } from "./reserve-port";
import { listenOnLoopback } from "./loopback";

export interface Registration {
  url: string;
  functions: { id: string; concurrency?: { key?: string; limit: number }[] }[];
}

interface Responses {
  health: number;
  register: number;
  events: number;
  kind: "dev" | "cloud" | null;
}

/** Opens the HTTP interface of an Inngest server, which records requests, responds as configured, and runs nothing. */
export async function openInngestServer(overrides: Partial<Responses> = {}, formerPort?: number) {
  const answers: Responses = { health: 200, register: 200, events: 200, kind: "cloud", ...overrides };
  const registrations: Registration[] = [];
  const events: { name: string; data: Record<string, unknown> }[] = [];
  const counts = { health: 0, events: 0 };
  /** The functions that a dev server keeps in memory. */
  let known: Registration["functions"] = [];

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (answers.kind) response.setHeader("x-inngest-server-kind", answers.kind);
    const send = (status: number, content: unknown) => response.writeHead(status).end(JSON.stringify(content));
    if (request.url === "/health") {
      counts.health += 1;
      return send(answers.health, { status: answers.health });
    }
    if (request.url === "/dev") {
      return answers.kind === "dev" ? send(200, { functions: known.map(({ id }) => ({ slug: id })) }) : send(401, null);
    }
    if (request.url === "/fn/register") {
      // The real server rejects a wrong key with a plain text.
      if (answers.register === 401) return response.writeHead(401).end("Authentication failed\n");
      if (answers.register !== 200) return send(answers.register, { error: "Expected server kind cloud, got dev" });
      registrations.push(JSON.parse(body) as Registration);
      known = registrations.at(-1)!.functions;
      return send(200, { ok: true, modified: true });
    }
    counts.events += 1;
    if (answers.events !== 200) return send(answers.events, { status: answers.events, error: "Event key not found" });
    const sent = JSON.parse(body) as typeof events;
    events.push(...sent);
    return send(200, { ids: sent.map(() => "id"), status: 200 });
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listenOnLoopback(server, formerPort ?? (await reservePort()));
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    answers,
    registrations,
    events,
    counts,
    /** Loses the functions, as a dev server does when it restarts. */
    forgetFunctions: () => void (known = []),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
