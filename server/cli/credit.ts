import type { Command } from "commander";
import { getAccount } from "../domain/accounts/find";
import { creditAccount } from "../domain/ledger/credit";
import { type Nano, toEuros } from "../lib/money";
import { printResult, type OutputOptions } from "./print-result";
import { readAmount } from "./read-amount";
import { withHub } from "./with-hub";

interface GrantOptions extends OutputOptions {
  email: string;
  amount: Nano;
  reference?: string;
  note?: string;
}

export function addCreditCommands(program: Command): void {
  program
    .command("credit")
    .description("money of accounts")
    .command("grant")
    .description("put credit on an account; a negative amount corrects an earlier grant")
    .requiredOption("--email <address>")
    .requiredOption("--amount <amount>", "EUR", readAmount)
    .option("--reference <text>", "the same reference credits once, however often it is sent")
    .option("--note <text>")
    .option("--json")
    .action(grant);
}

async function grant(options: GrantOptions): Promise<void> {
  const { email, amount, reference, note } = options;
  const result = await withHub(async (hub) => {
    const { id } = await getAccount(hub, email);
    return creditAccount(hub, id, { amount, reference, note });
  });
  const balance = toEuros(result.balance);
  const said = result.credited
    ? `Credited ${toEuros(amount)} EUR; the balance is ${balance} EUR.`
    : `The reference ${reference} was credited before; the balance is ${balance} EUR.`;
  printResult(options, { credited: result.credited, balance, currency: "EUR" }, said);
}
