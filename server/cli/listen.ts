import type { Command } from "commander";
import { isWebhookSecret, newWebhookSecret } from "../domain/webhooks/secret";
import { readEnv } from "../env";
import { OperatorError } from "../lib/operator-error";
import { followFeed } from "./follow-feed";
import { forwardEvent } from "./forward-event";

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

/** Forwards new events, oldest first, and retries each until the target responds. Ends by its signal or an OperatorError. */
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
