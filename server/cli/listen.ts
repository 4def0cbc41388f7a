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

export function addListenCommand(program: Command): void {
  program
    .command("listen")
    .description("forward the events of an account to a local program, signed as webhooks are, until stopped")
    .requiredOption("--key <key>", "an API key of the account")
    .requiredOption("--forward <url>", "where to post the events, for example http://localhost:4000/hook")
    .option("--url <address>", "of the hub; by default BASE_URL")
    .option("--secret <secret>", "to sign with, whsec_…; by default a new one, which is printed")
    .action((options: ListenOptions) => forwardEvents(options, print));
}

/** Forwards every event from now on, oldest first, each until somebody answers. Ends only by its signal or a refusal. */
export async function forwardEvents(
  { key, forward: target, url, secret = newWebhookSecret() }: ListenOptions,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (!URL.canParse(target)) throw new OperatorError(`${target} is not a URL.`);
  if (!isWebhookSecret(secret)) throw new OperatorError("The secret must be whsec_ and padded base64.");
  const hub = (url ?? readEnv().BASE_URL).replace(/\/+$/, "");
  say(`Events of ${hub} go to ${target}, signed with ${secret}`);
  for await (const envelope of followFeed({ hub, key, say, signal })) {
    await forwardEvent(envelope, { target, secret, say, signal });
  }
}

const print = (line: string) => void process.stdout.write(`${line}\n`);
