import type { InngestServer } from "../../server/inngest-settings";
import type { Logger } from "../../server/lib/log";
import { createLoop } from "../embedded/loop";
import { hasForgottenFunctions, nameServer, probeServer } from "./probe-server";

/** Registers the functions once, and returns the server's response. */
export type Register = () => Promise<{ status: number; message: string }>;

/** Why a reachable server cannot run jobs, each as a sentence for the operator. */
export interface ServerIssues {
  /** Null if the functions are registered, or another process registers them. */
  registration: string | null;
  events: string | null;
}

export interface ServerWatch {
  /** Checks the server now, after a request to it has failed. */
  wake(): void;
  stop(): Promise<void>;
}

interface Options {
  server: InngestServer;
  issues: ServerIssues;
  register: Register;
  log: Logger;
}

const PROBE_TIMEOUT_MS = 5_000;
const POLL_MS = 5_000;
// A dev server forgets the functions when it restarts.
const DEV_POLL_MS = 2_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;

/** Returns the issue with functions that are not registered, as far as this process knows. */
export const describeUnregistered = (server: InngestServer): string =>
  `${nameServer(server)} does not know the functions yet.`;

/** Registers the functions, with retries and again after each outage of the server. Logs each change of its issues. */
export function watchServer({ server, issues, register, log }: Options): ServerWatch {
  const pollMs = server.kind === "dev" ? DEV_POLL_MS : POLL_MS;
  let reported: string | null | undefined;
  let retryMs = MIN_RETRY_MS;
  let stopped = false;

  const report = (issue: string | null) => {
    if (issue === reported) return;
    reported = issue;
    if (issue) log.warn(issue);
    else log.info({ server: server.url }, "connected to the Inngest server; the functions are registered");
  };
  /** Returns the milliseconds until the next check. */
  const runCheck = async (): Promise<number> => {
    if (stopped) return pollMs;
    const away = await probeServer(server, PROBE_TIMEOUT_MS).then(
      () => null,
      (error: Error) => error.message,
    );
    if (away ?? (await hasForgottenFunctions(server, PROBE_TIMEOUT_MS))) {
      issues.registration = describeUnregistered(server);
    }
    if (!away && issues.registration) issues.registration = findRegistrationIssue(server, await register());
    report(away ?? issues.registration ?? issues.events);
    const pauseMs = retryMs;
    retryMs = issues.registration ? Math.min(retryMs * 2, MAX_RETRY_MS) : MIN_RETRY_MS;
    if (!issues.registration) return pollMs;
    return away ? Math.min(pauseMs, pollMs) : pauseMs;
  };
  issues.registration = describeUnregistered(server);
  const loop = createLoop(runCheck, (error) => log.error({ err: error }, "the Inngest server cannot be watched"));
  loop.wake();
  return {
    wake: loop.wake,
    // Not awaited: a server that is down would delay the end of the process.
    stop: async () => {
      stopped = true;
      void loop.end();
    },
  };
}

function findRegistrationIssue(server: InngestServer, { status, message }: Awaited<ReturnType<Register>>) {
  if (status === 200) return null;
  if ([401, 403].includes(status) && server.kind !== "dev") return `${nameServer(server)} rejects INNGEST_SIGNING_KEY.`;
  return `${nameServer(server)} did not register the functions (${status}): ${message}`;
}
