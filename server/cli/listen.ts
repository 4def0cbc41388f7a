import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { isWebhookSecret, newWebhookSecret } from "../domain/webhook-secrets";
import { signatureHeaders } from "../domain/deliveries";
import { readEnv } from "../env";
import { OperatorError } from "../lib/operator-error";
import { followFeed, type Envelope } from "./follow-feed";
import { withTimeout } from "../lib/with-timeout";

interface ListenOptions {
  key: string;
  forward: string;
  url?: string;
  secret?: string;
}

/** Adds the `listen` command. */
export function addListenCommand(program: Command): void {
  program
    .command("listen")
    .description("forward the events of an account to a local URL, signed like webhooks, until stopped")
    .requiredOption("--key <key>", "API key of the account")
    .requiredOption("--forward <url>", "URL to send events to, such as http://localhost:4000/hook")
    .option("--url <address>", "URL of the hub (default: BASE_URL)")
    .option("--secret <secret>", "signing secret, whsec_… (default: a new one, which is printed)")
    .action((options: ListenOptions) => forwardEvents(options, printLine));
}

/**
 * Forwards new events, oldest first, and retries each until the target responds. Ends when the signal aborts, or with
 * an OperatorError.
 */
export async function forwardEvents(
  { key, forward: target, url, secret = newWebhookSecret() }: ListenOptions,
  print: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (!URL.canParse(target)) throw new OperatorError(`${target} is not a URL.`);
  if (!isWebhookSecret(secret)) throw new OperatorError("The secret must be whsec_ followed by padded base64.");
  const hub = (url ?? readEnv().BASE_URL).replace(/\/+$/, "");
  print(`Forwarding events from ${hub} to ${target}, signed with ${secret}`);
  for await (const envelope of followFeed({ hub, key, print, signal })) {
    await forwardEvent(envelope, { target, secret, print, signal });
  }
}

const printLine = (line: string) => void process.stdout.write(`${line}\n`);

interface Receiver {
  target: string;
  secret: string;
  print: (line: string) => void;
  signal?: AbortSignal;
}

const RETRY_INTERVAL_MS = 1_000;
const TIMEOUT_MS = 15_000;

/**
 * Posts one event like a webhook delivery, retries until the target responds, and prints the status of the response.
 */
async function forwardEvent(envelope: Envelope, { target, secret, print, signal }: Receiver): Promise<void> {
  const { id, event, data } = envelope;
  const body = JSON.stringify(envelope);
  const name = `${event} ${data.id} (${data.status})`;
  for (let isReported = false; ; isReported = true) {
    const startedAt = performance.now();
    const headers = {
      "content-type": "application/json",
      ...signatureHeaders([secret], { id, event, body, at: new Date() }),
    };
    const response = await withTimeout(TIMEOUT_MS, signal, (limit) =>
      fetch(target, { method: "POST", headers, body, redirect: "manual", signal: limit }),
    ).catch(() => {
      signal?.throwIfAborted();
      return null;
    });
    if (response) {
      await response.body?.cancel();
      return print(`${name}: ${response.status} in ${Math.round(performance.now() - startedAt)} ms`);
    }
    if (!isReported) print(`${name}: no response from ${target}; retrying.`);
    await sleep(RETRY_INTERVAL_MS, undefined, { signal });
  }
}
