import { type Command, Option } from "commander";
import type { HubRole } from "../context";
import {
  createOperatorToken,
  listOperatorTokens,
  revokeOperatorToken,
  serializeOperatorToken,
} from "../domain/operator-tokens";
import { hubRoles } from "../domain/people";
import type { Nano } from "../lib/money";
import { cliOperator, type OutputOptions, printResult, readAmount, readTime, withHub } from "./command";

interface CreateOptions extends OutputOptions {
  name: string;
  role: HubRole;
  expires?: Date;
  dailyCredit?: Nano;
}

/** Adds the commands of `operator token`. */
export function addOperatorTokenCommands(operator: Command): void {
  const token = operator.command("token").description("manage tokens of programs, for the management API");
  token
    .command("create")
    .description("create a token; it is shown only once")
    .requiredOption("--name <name>", "display name, which the audit log has")
    .addOption(new Option("--role <role>", "an auditor's token only reads").choices(hubRoles).makeOptionMandatory())
    .option("--expires <time>", "expiry in ISO 8601", readTime)
    .option("--daily-credit <amount>", "EUR that its credits and corrections may add up to in a day in UTC", readAmount)
    .option("--json")
    .action(runCreate);
  token.command("list").description("list tokens, newest first").option("--json").action(runList);
  token
    .command("revoke")
    .description("revoke a token")
    .requiredOption("--name <name>", "display name")
    .option("--json")
    .action(runRevoke);
}

async function runCreate(options: CreateOptions): Promise<void> {
  const { name, role, expires = null, dailyCredit = null } = options;
  const request = { name, role, expiresAt: expires, dailyCredit };
  const { token, record } = await withHub((hub) => createOperatorToken(hub, cliOperator(), request));
  const document = { token, ...serializeOperatorToken(record) };
  printResult(options, document, `${token}\nStore this token now: it is shown only once.`);
}

async function runList(options: OutputOptions): Promise<void> {
  const tokens = await withHub(listOperatorTokens);
  const data = tokens.map(serializeOperatorToken);
  const lines = data.map(({ name, prefix, role, created_at, expires_at, revoked_at }) => {
    const state = revoked_at ? "revoked" : expires_at && `until ${expires_at}`;
    return [created_at, prefix.padEnd(17), role.padEnd(8), name, state].filter(Boolean).join("  ");
  });
  printResult(options, { data }, lines.join("\n") || "No operator tokens.");
}

async function runRevoke(options: OutputOptions & { name: string }): Promise<void> {
  await withHub((hub) => revokeOperatorToken(hub, cliOperator(), options.name));
  printResult(options, { name: options.name, revoked: true }, `Revoked token ${options.name}.`);
}
