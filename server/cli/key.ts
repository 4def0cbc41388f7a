import type { Command } from "commander";
import { getAccount } from "../domain/accounts";
import { createKeyByOperator } from "../domain/operator-keys";
import { cliOperator, printResult, type OutputOptions, readTime, withHub } from "./command";

interface CreateOptions extends OutputOptions {
  email: string;
  name: string;
  expires?: Date;
  requireIdempotency?: boolean;
}

/** Adds the `key` commands. */
export function addKeyCommands(program: Command): void {
  program
    .command("key")
    .description("manage API keys")
    .command("create")
    .description("create an API key; it is shown only once")
    .requiredOption("--email <address>", "account of the key")
    .requiredOption("--name <name>", "display name")
    .option("--expires <time>", "expiry in ISO 8601", readTime)
    .option("--require-idempotency", "reject create requests without an Idempotency-Key")
    .option("--json")
    .action(runCreate);
}

async function runCreate(options: CreateOptions): Promise<void> {
  const { email, name, expires = null, requireIdempotency = false } = options;
  const { key, record } = await withHub(async (hub) => {
    const { id } = await getAccount(hub, email);
    return createKeyByOperator(hub, cliOperator(), id, {
      name,
      expires_at: expires,
      require_idempotency: requireIdempotency,
    });
  });
  printResult(
    options,
    { key, id: record.id, name, prefix: record.prefix },
    `${key}\nStore this key now: it is shown only once.`,
  );
}
