import type { Command } from "commander";
import { createAccount, getAccount, suspendAccount } from "../domain/accounts/account";
import { hashPassword } from "../domain/accounts/password";
import { setPassword } from "../domain/accounts/change-password";
import { creditAccount } from "../domain/ledger/credit";
import { type Nano, toEuros } from "../lib/money";
import { printResult, type OutputOptions, withHub, readAmount } from "./command";

interface CreateOptions extends OutputOptions {
  email: string;
  password: string;
  credit?: Nano;
  member?: boolean;
}

/** Adds the `account` commands. */
export function addAccountCommands(program: Command): void {
  const account = program.command("account").description("manage accounts");
  account
    .command("create")
    .description("create an account")
    .requiredOption("--email <address>")
    .requiredOption("--password <password>", "password to sign in with")
    .option("--credit <amount>", "initial credit in EUR", readAmount)
    .option("--member", "grant access to models for members")
    .option("--json")
    .action(runCreate);
  account
    .command("suspend")
    .description("suspend an account and reject its keys immediately")
    .requiredOption("--email <address>")
    .option("--json")
    .action((options: { email: string }) => runSuspend(options, true));
  account
    .command("resume")
    .description("reactivate a suspended account")
    .requiredOption("--email <address>")
    .option("--json")
    .action((options: { email: string }) => runSuspend(options, false));
  account
    .command("password")
    .description("set the password of an account")
    .requiredOption("--email <address>")
    .requiredOption("--password <password>")
    .option("--json")
    .action(runSetPassword);
}

async function runCreate(options: CreateOptions): Promise<void> {
  const account = await withHub(async (hub) => {
    const { email, member, password } = options;
    const id = await createAccount(hub, { email, member, passwordHash: await hashPassword(password), verified: true });
    if (options.credit) await creditAccount(hub, id, { amount: options.credit, note: "First credit" });
    return getAccount(hub, options.email);
  });
  const document = {
    client_id: account.id,
    email: account.email,
    membership: account.member,
    balance: toEuros(account.balance),
  };
  printResult(
    options,
    document,
    `Created account ${account.id} (${account.email}) with a balance of ${document.balance} EUR.`,
  );
}

async function runSuspend(options: OutputOptions & { email: string }, suspended: boolean): Promise<void> {
  await withHub((hub) => suspendAccount(hub, options.email, suspended));
  const { email } = options;
  printResult(options, { email, suspended }, `Account ${email} is ${suspended ? "suspended" : "active"}.`);
}

async function runSetPassword(options: OutputOptions & { email: string; password: string }): Promise<void> {
  await withHub((hub) => setPassword(hub, options.email, options.password));
  printResult(options, { email: options.email }, `Password changed for ${options.email}.`);
}
