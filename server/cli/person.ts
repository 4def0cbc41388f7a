import type { Command } from "commander";
import { erasePending, requestPersonErasure } from "../domain/closures";
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
  person
    .command("erase")
    .description("erase a person: address, sign-ins, sessions, second factors, memberships, texts of the audit log")
    .requiredOption("--email <address>")
    .option("--reason <text>")
    .option("--json")
    .action(runErase);
}

async function runErase(options: PersonOptions & { reason?: string }): Promise<void> {
  const { email, reason } = options;
  const id = await withHub(async (hub) => {
    const erased = await requestPersonErasure(hub, cliOperator(), { email, reason });
    while ((await erasePending(hub)) > 0);
    return erased;
  });
  printResult(options, { person: id }, `Person ${id} is erased.`);
}

async function runReset(options: PersonOptions): Promise<void> {
  const { email } = options;
  const removed = await withHub((hub) => resetFactors(hub, cliOperator(), email));
  const text = removed
    ? `${email} has no second factor now and is signed out everywhere.`
    : `${email} has no second factor. Nothing changed.`;
  printResult(options, { email, removed }, text);
}
