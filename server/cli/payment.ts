import { type Command, InvalidArgumentError, Option } from "commander";
import { getAccount } from "../domain/accounts";
import {
  centsToEuros,
  nanoToCents,
  type Payment,
  paymentStates,
  serializePayment,
  stateOf,
  type StoredState,
} from "../domain/payments";
import { listPayments, recordPayment } from "../domain/payment-records";
import { RECONCILED_DAYS, reconcileEverything, reconcilePayment, refundPayment } from "../domain/reconciliation";
import { AppError } from "../errors";
import { isId } from "../lib/id";
import type { Nano } from "../lib/money";
import { cliOperator, type OutputOptions, printResult, readAmount, withHub } from "./command";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** Adds the `payment` commands. */
export function addPaymentCommands(program: Command): void {
  const payment = program.command("payment").description("manage payments");
  payment
    .command("list")
    .description("list payments, newest first")
    .option("--email <address>", "only those of one account")
    .option("--state <state>", paymentStates.join(", "), readState)
    .option("--limit <count>", "how many", readCount(MAX_LIMIT), DEFAULT_LIMIT)
    .option("--json")
    .action(runList);
  payment
    .command("record")
    .description("record a payment that came in by bank transfer or invoice, and credit it")
    .requiredOption("--email <address>")
    .requiredOption("--amount <amount>", "EUR to credit, without tax", readAmount)
    .requiredOption("--reference <text>", "names the payment in your books; repeating it has no effect")
    .addOption(
      // Commander writes a default into the help as JSON, which has no bigint.
      new Option("--tax <amount>", "EUR of tax paid in addition").argParser(readAmount).default(0n, "0"),
    )
    .option("--note <text>", "shown to the customer in the statement")
    .option("--json")
    .action(runRecord);
  payment
    .command("refund")
    .description("refund a payment in whole or in part")
    .requiredOption("--payment <id>")
    .requiredOption("--reason <text>", "for the audit log")
    .option("--amount <amount>", "EUR with tax; by default all that is left", readAmount)
    .option("--json")
    .action(runRefund);
  payment
    .command("reconcile")
    .description(
      "compare payments with their provider: what is pending, and what happened in the last days; exit 1 on trouble",
    )
    .option("--payment <id>", "only this one")
    .option(
      "--days <count>",
      `how many days, at most ${RECONCILED_DAYS.max}, for example since a backup that you restored`,
      readCount(RECONCILED_DAYS.max),
      RECONCILED_DAYS.default,
    )
    .option("--json")
    .action(runReconcile);
}

function readState(text: string): StoredState {
  const state = paymentStates.find((one) => one === text);
  if (!state) throw new InvalidArgumentError(`It must be one of ${paymentStates.join(", ")}.`);
  return state;
}

const readCount = (max: number) => (text: string) => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
  return count;
};

async function runList(options: OutputOptions & { email?: string; state?: StoredState; limit: number }): Promise<void> {
  const { email, state, limit } = options;
  const payments = await withHub(async (hub) => {
    const accountId = email === undefined ? null : (await getAccount(hub, email)).id;
    return listPayments(hub, { accountId, state, limit });
  });
  const lines = payments.map(
    (payment) =>
      `${payment.id}  ${payment.created_at.toISOString()}  ${describe(payment)}  ${payment.email}` +
      (payment.error === null ? "" : `  (${payment.error})`),
  );
  const document = { payments: payments.map((payment) => ({ ...serializePayment(payment), email: payment.email })) };
  printResult(options, document, lines.join("\n") || "There are no payments.");
}

const describe = (payment: Payment): string =>
  `${centsToEuros(payment.amount).toFixed(2)} EUR + ${centsToEuros(payment.tax).toFixed(2)} EUR tax  ` +
  `${payment.provider}  ${stateOf(payment)}`;

interface RecordOptions extends OutputOptions {
  email: string;
  amount: Nano;
  tax: Nano;
  reference: string;
  note?: string;
}

async function runRecord(options: RecordOptions): Promise<void> {
  const { email, reference, note = null } = options;
  const amount = nanoToCents("amount", options.amount);
  const tax = nanoToCents("tax", options.tax);
  const { payment, isNew } = await withHub(async (hub) => {
    const { id: accountId } = await getAccount(hub, email);
    return recordPayment(hub, cliOperator(), { accountId, amount, tax, reference, note });
  });
  const text = isNew
    ? `Recorded payment ${payment.id} and credited ${centsToEuros(payment.amount)} EUR.`
    : `The reference ${reference} was already recorded as payment ${payment.id}.`;
  printResult(options, { ...serializePayment(payment), recorded: isNew }, text);
}

interface RefundOptions extends OutputOptions {
  payment: string;
  amount?: Nano;
  reason: string;
}

async function runRefund(options: RefundOptions): Promise<void> {
  const { payment: paymentId, reason } = options;
  const amount = options.amount === undefined ? undefined : nanoToCents("amount", options.amount);
  requireId(paymentId);
  const { payment, refundId } = await withHub((hub) =>
    refundPayment(hub, cliOperator(), { paymentId, amount, reason }),
  );
  printResult(
    options,
    { ...serializePayment(payment), refund_id: refundId },
    `Refund ${refundId} is booked. The payment is ${stateOf(payment).replaceAll("_", " ")}.`,
  );
}

async function runReconcile(options: OutputOptions & { payment?: string; days: number }): Promise<void> {
  const { payment: id, days } = options;
  if (id !== undefined) {
    requireId(id);
    const payment = await withHub((hub) => reconcilePayment(hub, id));
    if (!payment) throw new AppError("resource_not_found", "There is no such payment.");
    printResult(options, serializePayment(payment), `Payment ${id}: ${describe(payment)}`);
    return;
  }
  const result = await withHub((hub) => reconcileEverything(hub, { days }));
  const { found, applied, refunds, checked, failed } = result;
  const summary = `Found ${found} events that had not arrived, applied ${applied}; checked ${checked} pending payments and ${refunds} refunds.`;
  printResult(options, result, [...failed.map(({ id, error }) => `${id}: ${error}`), summary].join("\n"));
  if (failed.length > 0) process.exitCode = 1;
}

function requireId(id: string): void {
  if (!isId(id)) throw new AppError("resource_not_found", "There is no such payment.");
}
