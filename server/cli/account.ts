import type { Command } from "commander";
import { createAccount } from "../domain/accounts/create";
import { getAccount } from "../domain/accounts/find";
import { hashPassword } from "../domain/accounts/password";
import { setPassword } from "../domain/accounts/set-password";
import { suspendAccount } from "../domain/accounts/suspend";
import { creditAccount } from "../domain/ledger/credit";
import { type Nano, toEuros } from "../lib/money";
import { printResult, type OutputOptions } from "./print-result";
import { readAmount } from "./read-amount";
import { withHub } from "./with-hub";

interface CreateOptions extends OutputOptions {
  email: string;
  password: string;
  credit?: Nano;
  member?: boolean;
}

export function addAccountCommands(program: Command): void {
  const account = program.command("account").description("who owns generations and pays for them");
  account
    .command("create")
    .description("make an account")
    .requiredOption("--email <address>")
    .requiredOption("--password <password>", "of its sign-in")
    .option("--credit <amount>", "EUR to begin with", readAmount)
    .option("--member", "may use models for members only")
    .option("--json")
    .action(create);
  account
    .command("suspend")
    .description("shut an account out: its keys stop at once")
    .requiredOption("--email <address>")
    .option("--json")
    .action((options: { email: string }) => suspend(options, true));
  account
    .command("resume")
    .description("let a suspended account in again")
    .requiredOption("--email <address>")
    .option("--json")
    .action((options: { email: string }) => suspend(options, false));
  account
    .command("password")
    .description("give an account a new password")
    .requiredOption("--email <address>")
    .requiredOption("--password <password>")
    .option("--json")
    .action(password);
}

async function create(options: CreateOptions): Promise<void> {
  const made = await withHub(async (hub) => {
    const { email, member, password } = options;
    const id = await createAccount(hub, { email, member, passwordHash: await hashPassword(password), verified: true });
    if (options.credit) await creditAccount(hub, id, { amount: options.credit, note: "First credit" });
    return getAccount(hub, options.email);
  });
  const document = { client_id: made.id, email: made.email, membership: made.member, balance: toEuros(made.balance) };
  printResult(options, document, `Made account ${made.id} of ${made.email} with ${document.balance} EUR.`);
}

async function suspend(options: OutputOptions & { email: string }, suspended: boolean): Promise<void> {
  await withHub((hub) => suspendAccount(hub, options.email, suspended));
  const { email } = options;
  printResult(options, { email, suspended }, `The account of ${email} is ${suspended ? "suspended" : "open"}.`);
}

async function password(options: OutputOptions & { email: string; password: string }): Promise<void> {
  await withHub((hub) => setPassword(hub, options.email, options.password));
  printResult(options, { email: options.email }, `The account of ${options.email} has a new password.`);
}
