import { Inngest } from "inngest";
import type { Env } from "../server/env";
import { APP_ID } from "./app-id";

const MAX_STEPS_PER_CALL = 1_000;
/** After this time a call starts no further step, so that other calls get their turn. */
const MAX_CALL_MS = 5_000;

type Settings = Pick<Env, "inngest" | "INNGEST_EVENT_KEY" | "INNGEST_SIGNING_KEY" | "INNGEST_SIGNING_KEY_FALLBACK">;

interface Options {
  env: Settings;
  /** Takes the place of the network: the embedded engine's `embeddedFetch`, or a server connection's `fetch`. */
  fetch?: typeof fetch;
  /** Receives the SDK's warnings: a wrong signature, a failed registration. */
  log?: Listener;
}

interface Listener {
  warn(...args: unknown[]): void;
  error(...args: unknown[]): void;
}

/**
 * Returns the client for defining functions and sending events. Without an Inngest server in the environment its calls
 * go to `fetch`, and nothing leaves the process.
 */
export function createInngest({ env, fetch, log }: Options): Inngest {
  const server = env.inngest;
  return new Inngest({
    id: APP_ID,
    fetch,
    isDev: !server || server.kind === "dev",
    // Inngest Cloud receives events at a different address from other requests; the SDK knows both.
    baseUrl: server && server.kind !== "cloud" ? server.url : undefined,
    eventKey: env.INNGEST_EVENT_KEY,
    signingKey: env.INNGEST_SIGNING_KEY,
    signingKeyFallback: env.INNGEST_SIGNING_KEY_FALLBACK,
    // On the embedded engine a call goes on after a step, and its results are stored when it returns: that is one call
    // and one commit until the run waits, instead of one for each step. A server calls a function once for each step.
    checkpointing: server ? false : { bufferedSteps: MAX_STEPS_PER_CALL, maxRuntime: MAX_CALL_MS },
    aiMetadata: false,
    sessionPropagation: false,
    // The engine itself reports a failing step, once and with its run.
    logger: silent,
    internalLogger: log ? { ...silent, warn: log.warn.bind(log), error: log.error.bind(log) } : silent,
  });
}

const ignore = () => undefined;
const silent = { info: ignore, warn: ignore, error: ignore, debug: ignore };
