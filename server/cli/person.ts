import type { Command } from "commander";
import { resetFactors } from "../domain/factors";
import { cliOperator, type OutputOptions, printResult, withHub } from "./command";

interface PersonOptions extends OutputOptions {
  email: string;
}

/** Adds the `person` commands. */
export function addPersonCommands(program: Command): void {
  const person = program.command("person").description("manage people who sign in to the console");
  person
    .command("reset-factors")
    .description("remove a person's passkeys, authenticator app and recovery codes, and end their sessions")
    .requiredOption("--email <address>")
    .option("--json")
    .action(runReset);
}

async function runReset(options: PersonOptions): Promise<void> {
  const { email } = options;
  const removed = await withHub((hub) => resetFactors(hub, cliOperator(), email));
  const text = removed
    ? `${email} has no second factor now and is signed out everywhere.`
    : `${email} has no second factor. Nothing changed.`;
  printResult(options, { email, removed }, text);
}
