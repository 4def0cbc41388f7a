import type { Command } from "commander";
import { revokeReportedLink } from "../domain/shares";
import { cliOperator, printResult, type OutputOptions, withHub } from "./command";

interface RevokeOptions extends OutputOptions {
  link: string;
  reason?: string;
}

/** Adds the `share` commands. */
export function addShareCommands(program: Command): void {
  program
    .command("share")
    .description("manage links that show an output to everybody")
    .command("revoke")
    .description("end a share link that somebody reported")
    .requiredOption("--link <url>", "address of its page")
    .option("--reason <text>")
    .option("--json")
    .action(runRevoke);
}

async function runRevoke(options: RevokeOptions): Promise<void> {
  const account = await withHub((hub) => revokeReportedLink(hub, cliOperator(), options));
  const text = account === null ? "The link does not exist or has ended." : `Revoked a link of account ${account}.`;
  printResult(options, { account, revoked: account !== null }, text);
}
