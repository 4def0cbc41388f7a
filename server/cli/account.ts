import type { Command } from "commander";
import { getAccount, suspendAccount } from "../domain/accounts";
import { setPassword } from "../domain/passwords";
import { provideAccount } from "../domain/signup";
import { type Nano, toEuros } from "../lib/money";
import { cliOperator, printResult, type OutputOptions, withHub, readAmount } from "./command";

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
    await provideAccount(hub, cliOperator(), options);
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
  const { email } = options;
  await withHub(async (hub) => {
    const { id } = await getAccount(hub, email);
    await suspendAccount(hub, cliOperator(), { id, suspended });
  });
  printResult(options, { email, suspended }, `Account ${email} is ${suspended ? "suspended" : "active"}.`);
}

async function runSetPassword(options: OutputOptions & { email: string; password: string }): Promise<void> {
  await withHub((hub) => setPassword(hub, cliOperator(), options.email, options.password));
  printResult(options, { email: options.email }, `Password changed for ${options.email}.`);
}
