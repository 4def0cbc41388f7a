import { type Command, Option } from "commander";
import type { HubRole } from "../context";
import { hubRoles, listHubRoles, setHubRole } from "../domain/people";
import { addOperatorTokenCommands } from "./operator-token";
import { cliOperator, type OutputOptions, printResult, withHub } from "./command";

interface RoleOptions extends OutputOptions {
  email: string;
  role: HubRole;
}

/** Adds the `operator` commands. */
export function addOperatorCommands(program: Command): void {
  const operator = program.command("operator").description("manage who may use the operator's console, /admin");
  operator
    .command("grant")
    .description("give a person a role: an auditor reads everything, an operator also changes it")
    .requiredOption("--email <address>", "the person, who has signed up or has an account")
    .addOption(new Option("--role <role>").choices(hubRoles).makeOptionMandatory())
    .option("--json")
    .action(runGrant);
  operator
    .command("revoke")
    .description("withdraw a person's role")
    .requiredOption("--email <address>")
    .option("--json")
    .action(runRevoke);
  operator.command("list").description("list the people with a role").option("--json").action(runList);
  addOperatorTokenCommands(operator);
}

async function runGrant(options: RoleOptions): Promise<void> {
  const { email, role } = options;
  await withHub((hub) => setHubRole(hub, cliOperator(), email, role));
  printResult(options, { email, role }, `${email} is now ${role === "operator" ? "an operator" : "an auditor"}.`);
}

async function runRevoke(options: OutputOptions & { email: string }): Promise<void> {
  const { email } = options;
  await withHub((hub) => setHubRole(hub, cliOperator(), email, null));
  printResult(options, { email, role: null }, `${email} has no role of this hub.`);
}

async function runList(options: OutputOptions): Promise<void> {
  const data = await withHub(listHubRoles);
  const lines = data.map(({ email, role }) => `${role?.padEnd(8)}  ${email}`);
  printResult(options, { data }, lines.join("\n") || "Nobody has a role. Grant one by `operator grant`.");
}
