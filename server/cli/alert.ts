import type { Command } from "commander";
import { getAlertRecipients, sendTestToOperators } from "../domain/operator-alerts";
import { printResult, type OutputOptions, withHub } from "./command";

/** Adds the `alert` commands. */
export function addAlertCommands(program: Command): void {
  program
    .command("alert")
    .description("the operators' alerts")
    .command("test")
    .description("send a test to ALERT_EMAILS and ALERT_SLACK_URL")
    .option("--json")
    .action(testAlerts);
}

async function testAlerts(options: OutputOptions): Promise<void> {
  const recipients = await withHub(async (hub) => {
    await sendTestToOperators(hub);
    return getAlertRecipients(hub);
  });
  const { emails, slack_host } = recipients;
  printResult(options, recipients, `Sent to ${[...emails, ...(slack_host ? [slack_host] : [])].join(", ")}.`);
}
