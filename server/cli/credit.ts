import type { Command } from "commander";
import { getAccount } from "../domain/accounts";
import { grantCredit } from "../domain/ledger";
import { type Nano, toEuros } from "../lib/money";
import { cliOperator, printResult, type OutputOptions, withHub, readAmount } from "./command";

interface GrantOptions extends OutputOptions {
  email: string;
  amount: Nano;
  reference?: string;
  note?: string;
  promotional?: boolean;
}

/** Adds the `credit` commands. */
export function addCreditCommands(program: Command): void {
  program
    .command("credit")
    .description("manage credit")
    .command("grant")
    .description("add credit to an account; a negative amount corrects an earlier grant")
    .requiredOption("--email <address>")
    .requiredOption("--amount <amount>", "EUR", readAmount)
    .option("--reference <text>", "unique name of the grant; repeating it has no effect")
    .option("--note <text>")
    .option("--promotional", "as promotional credit: spent before paid credit, and never refunded")
    .option("--json")
    .action(runGrant);
}

async function runGrant(options: GrantOptions): Promise<void> {
  const { email, amount, reference, note, promotional } = options;
  const result = await withHub(async (hub) => {
    const { id } = await getAccount(hub, email);
    return grantCredit(hub, cliOperator(), id, { amount, reference, note, promotional });
  });
  const balance = toEuros(result.balance);
  const text = result.credited
    ? `Credited ${toEuros(amount)} EUR; the balance is ${balance} EUR.`
    : `The reference ${reference} was already credited; the balance is ${balance} EUR.`;
  printResult(options, { credited: result.credited, balance, currency: "EUR" }, text);
}
