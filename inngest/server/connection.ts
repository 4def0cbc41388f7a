import type { JobEngine } from "../../server/context";
import type { InngestServer } from "../../server/inngest-settings";
import type { Logger } from "../../server/lib/log";
import { OperatorError } from "../../server/lib/operator-error";
import { nameServer, probeServer } from "./probe-server";
import { describeUnregistered, type Register, type ServerIssues, type ServerWatch, watchServer } from "./watch-server";

export interface ServerConnection extends Pick<JobEngine, "check"> {
  /** For the client that sends events and registers the functions. */
  fetch: typeof fetch;
  /** Keeps the functions registered from now on. Returns a function that stops it. */
  keepRegistered(register: Register): () => Promise<void>;
}

// Below the time-out of /ready, two seconds, so that it can respond with our message.
const CHECK_TIMEOUT_MS = 1_500;

/** Tracks whether a server accepts jobs, by its responses to requests and by health checks. */
export function createServerConnection(server: InngestServer, log: Logger): ServerConnection {
  const issues: ServerIssues = { registration: null, events: null };
  let watch: ServerWatch | undefined;
  let probe: Promise<void> | undefined;

  return {
    fetch: createServerFetch({
      beforeEvents: () => {
        // A server that does not know the functions would accept the event and start nothing.
        if (issues.registration === describeUnregistered(server)) throw new Error(issues.registration);
      },
      onEvents: (status) => {
        const before = issues.events;
        if (status !== null) issues.events = findEventIssue(server, status);
        if (status === null || issues.events !== before) watch?.wake();
      },
    }),
    async check() {
      // Concurrent checks share one request.
      probe ??= probeServer(server, CHECK_TIMEOUT_MS).finally(() => (probe = undefined));
      await probe.catch((error: unknown) => {
        watch?.wake();
        throw error;
      });
      const issue = issues.registration ?? issues.events;
      if (issue) throw new OperatorError(issue);
    },
    keepRegistered(register) {
      const started = (watch = watchServer({ server, issues, register, log }));
      return () => started.stop();
    },
  };
}

function findEventIssue(server: InngestServer, status: number): string | null {
  if ([401, 403, 404].includes(status)) return `${nameServer(server)} rejects INNGEST_EVENT_KEY.`;
  return status >= 500 ? `${nameServer(server)} does not accept events (${status}).` : null;
}

const REQUEST_TIMEOUT_MS = 10_000;

interface Options {
  /** Called before events are sent; throws to hold them back. */
  beforeEvents: () => void;
  /** Called with the status of the response to events; null if there was none. */
  onEvents: (status: number | null) => void;
}

/**
 * Returns the `fetch` for a server's client: with a time-out, which the SDK lacks, and with callbacks around events.
 */
function createServerFetch({ beforeEvents, onEvents }: Options): typeof fetch {
  const request: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!pathname.startsWith("/e/")) return toSdkError(await request(input, init));
    beforeEvents();
    try {
      const response = await request(input, init);
      onEvents(response.status);
      return response;
    } catch (error) {
      onEvents(null);
      throw error;
    }
  };
}

/** Returns an error response as the SDK expects it: it reports a 401 in plain text as 500, and some 400s as success. */
async function toSdkError(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { status } = response;
  return Response.json({ status, error: (await response.text()).slice(0, 300) }, { status });
}
