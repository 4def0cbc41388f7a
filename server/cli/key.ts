import { type Command, InvalidArgumentError } from "commander";
import { getAccount } from "../domain/accounts/find";
import { createKey } from "../domain/keys/create";
import { printResult, type OutputOptions } from "./print-result";
import { withHub } from "./with-hub";

interface CreateOptions extends OutputOptions {
  email: string;
  name: string;
  expires?: Date;
  requireIdempotency?: boolean;
}

export function addKeyCommands(program: Command): void {
  program
    .command("key")
    .description("API keys")
    .command("create")
    .description("make a key; it is shown this once")
    .requiredOption("--email <address>", "of its account")
    .requiredOption("--name <name>", "by which its owner knows it")
    .option("--expires <time>", "ISO 8601", readTime)
    .option("--require-idempotency", "refuse creates without an Idempotency-Key")
    .option("--json")
    .action(create);
}

function readTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError("It must be a time in ISO 8601.");
  return time;
}

async function create(options: CreateOptions): Promise<void> {
  const { email, name, expires = null, requireIdempotency = false } = options;
  const { key, record } = await withHub(async (hub) => {
    const { id } = await getAccount(hub, email);
    return createKey(hub, id, { name, expires_at: expires, require_idempotency: requireIdempotency });
  });
  printResult(options, { key, id: record.id, name, prefix: record.prefix }, `${key}\nIt is shown this once.`);
}
