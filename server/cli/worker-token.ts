import type { Command } from "commander";
import { createToken } from "../domain/workers/create-token";
import { listTokens } from "../domain/workers/list-tokens";
import { revokeToken } from "../domain/workers/revoke-token";
import { printResult, type OutputOptions } from "./print-result";
import { withHub } from "./with-hub";

interface NameOptions extends OutputOptions {
  name: string;
}

export function addWorkerTokenCommands(program: Command): void {
  const tokens = program.command("worker-token").description("what workers authenticate with");
  const named = (verb: string, description: string) =>
    tokens
      .command(verb)
      .description(description)
      .requiredOption("--name <name>", "by which you know it")
      .option("--json");
  named("create", "make a token; it is shown this once").action(create);
  named("revoke", "refuse a token from now on").action(revoke);
  tokens.command("list").description("every token, newest first").option("--json").action(list);
}

async function create(options: NameOptions): Promise<void> {
  const { token, record } = await withHub((hub) => createToken(hub, options.name));
  const { id, name, prefix } = record;
  printResult(options, { token, id, name, prefix }, `${token}\nIt is shown this once.`);
}

async function revoke(options: NameOptions): Promise<void> {
  await withHub((hub) => revokeToken(hub, options.name));
  printResult(options, { name: options.name, revoked: true }, `The token ${options.name} is revoked.`);
}

async function list(options: OutputOptions): Promise<void> {
  const tokens = await withHub(listTokens);
  const data = tokens.map(({ id, name, prefix, createdAt, revokedAt }) => ({
    ...{ id, name, prefix, created_at: createdAt, revoked_at: revokedAt },
  }));
  const lines = data.map(({ name, prefix, created_at, revoked_at }) =>
    [created_at.toISOString(), prefix.padEnd(20), name, revoked_at && "revoked"].filter(Boolean).join("  "),
  );
  printResult(options, { data }, lines.join("\n") || "There are none.");
}
