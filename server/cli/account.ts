import { type Command, InvalidArgumentError, Option } from "commander";
import type { z } from "zod";
import { getAccount, suspendAccount } from "../domain/accounts";
import {
  BalanceChoice,
  closeAccountByOperator,
  describeClosure,
  keepAccountByOperator,
  MAX_CLOSING_DAYS,
  REFLECTION_DAYS,
} from "../domain/closures";
import { setPassword } from "../domain/passwords";
import { createAccountByOperator } from "../domain/signup";
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
    .option("--credit <amount>", "initial credit in EUR", readCredit)
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
    .command("close")
    .description("close an account: settle its balance, then erase it; tax records stay")
    .requiredOption("--email <address>")
    .addOption(new Option("--balance <choice>", "what happens to it").choices(BalanceChoice.options).default("refund"))
    .option("--days <days>", "time to change one's mind, 0 to 90", readDays, REFLECTION_DAYS)
    .option("--reason <text>")
    .option("--json")
    .action(runClose);
  account
    .command("keep")
    .description("keep an account that is closing")
    .requiredOption("--email <address>")
    .option("--reason <text>")
    .option("--json")
    .action(runKeep);
  account
    .command("password")
    .description("set the password of an account")
    .requiredOption("--email <address>")
    .requiredOption("--password <password>")
    .option("--json")
    .action(runSetPassword);
}

function readCredit(text: string): Nano {
  const credit = readAmount(text);
  if (credit < 0n) throw new InvalidArgumentError("It must be 0 or more.");
  return credit;
}

async function runCreate(options: CreateOptions): Promise<void> {
  const account = await withHub(async (hub) => {
    await createAccountByOperator(hub, cliOperator(), options);
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

/** Returns a number of days from the command line. */
function readDays(text: string): number {
  const days = Number(text);
  if (!/^\d+$/.test(text) || days > MAX_CLOSING_DAYS)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_CLOSING_DAYS}.`);
  return days;
}

interface CloseOptions extends OutputOptions {
  email: string;
  balance: z.output<typeof BalanceChoice>;
  days: number;
  reason?: string;
}

async function runClose(options: CloseOptions): Promise<void> {
  const { email, balance, days, reason } = options;
  const closing = await withHub(async (hub) => {
    const { id } = await getAccount(hub, email);
    await closeAccountByOperator(hub, cliOperator(), { id, balance, days, reason });
    return describeClosure(hub.db, id, hub.now());
  });
  printResult(options, { email, ...closing }, `Account ${email} closes at ${closing?.closes_at}.`);
}

async function runKeep(options: OutputOptions & { email: string; reason?: string }): Promise<void> {
  const { email, reason } = options;
  await withHub(async (hub) => {
    const { id } = await getAccount(hub, email);
    await keepAccountByOperator(hub, cliOperator(), { id, reason });
  });
  printResult(options, { email }, `Account ${email} is kept.`);
}

async function runSetPassword(options: OutputOptions & { email: string; password: string }): Promise<void> {
  await withHub((hub) => setPassword(hub, cliOperator(), options.email, options.password));
  printResult(options, { email: options.email }, `Password changed for ${options.email}.`);
}
