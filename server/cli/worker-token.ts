import type { Command } from "commander";
import { createToken, listTokens, revokeToken } from "../domain/workers";
import { cliOperator, printResult, type OutputOptions, withHub } from "./command";

interface NameOptions extends OutputOptions {
  name: string;
}

/** Adds the `worker-token` commands. */
export function addWorkerTokenCommands(program: Command): void {
  const tokens = program.command("worker-token").description("manage worker tokens");
  const addNamedCommand = (verb: string, description: string) =>
    tokens.command(verb).description(description).requiredOption("--name <name>", "display name").option("--json");
  addNamedCommand("create", "create a token; it is shown only once").action(runCreate);
  addNamedCommand("revoke", "revoke a token").action(runRevoke);
  tokens.command("list").description("list tokens, newest first").option("--json").action(runList);
}

async function runCreate(options: NameOptions): Promise<void> {
  const { token, record } = await withHub((hub) => createToken(hub, cliOperator(), options.name));
  const { id, name, prefix } = record;
  printResult(options, { token, id, name, prefix }, `${token}\nStore this token now: it is shown only once.`);
}

async function runRevoke(options: NameOptions): Promise<void> {
  await withHub((hub) => revokeToken(hub, cliOperator(), options.name));
  printResult(options, { name: options.name, revoked: true }, `Revoked token ${options.name}.`);
}

async function runList(options: OutputOptions): Promise<void> {
  const tokens = await withHub(listTokens);
  const data = tokens.map(({ id, name, prefix, createdAt, revokedAt }) => ({
    id,
    name,
    prefix,
    created_at: createdAt,
    revoked_at: revokedAt,
  }));
  const lines = data.map(({ name, prefix, created_at, revoked_at }) =>
    [created_at.toISOString(), prefix.padEnd(20), name, revoked_at && "revoked"].filter(Boolean).join("  "),
  );
  printResult(options, { data }, lines.join("\n") || "No worker tokens.");
}
