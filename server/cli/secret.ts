import type { Command } from "commander";
import { reencryptSecrets } from "../domain/operations";
import { cliOperator, type OutputOptions, printResult, withHub } from "./command";

/** Adds the `secret` commands. */
export function addSecretCommands(program: Command): void {
  const secret = program.command("secret").description("replace HUB_SECRET");
  secret
    .command("re-encrypt")
    .description("encrypt with HUB_SECRET what HUB_SECRET_PREVIOUS encrypted")
    .option("--json")
    .action(runReencrypt);
}

async function runReencrypt(options: OutputOptions): Promise<void> {
  const result = await withHub((hub) => reencryptSecrets(hub, cliOperator()));
  const { changed, unreadable } = result;
  const lines = [
    changed === 0 ? "Everything stored is encrypted with HUB_SECRET." : `${changed} values encrypted with HUB_SECRET.`,
    ...(unreadable > 0
      ? [`${unreadable} values open with neither secret: rotate those webhooks and reset those factors.`]
      : []),
  ];
  printResult(options, result, lines.join("\n"));
  if (unreadable > 0) process.exitCode = 1;
}
