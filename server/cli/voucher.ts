import { type Command, InvalidArgumentError } from "commander";
import { createVoucher, listVouchers, revokeVoucher, serializeVoucher } from "../domain/vouchers";
import type { Nano } from "../lib/money";
import { cliOperator, type OutputOptions, printResult, readAmount, readTime, withHub } from "./command";

interface CreateOptions extends OutputOptions {
  amount: Nano;
  redemptions: number;
  expires?: Date;
  note?: string;
}

/** Adds the `voucher` commands. */
export function addVoucherCommands(program: Command): void {
  const voucher = program.command("voucher").description("manage vouchers, which give promotional credit");
  voucher
    .command("create")
    .description("create a voucher; its code is shown only once")
    .requiredOption("--amount <amount>", "EUR for each account that redeems it", readAmount)
    .option("--redemptions <number>", "how many accounts may redeem it", readCount, 1)
    .option("--expires <time>", "when it can no longer be redeemed, in ISO 8601", readTime)
    .option("--note <text>", "what it is for")
    .option("--json")
    .action(runCreate);
  voucher.command("list").description("list the newest vouchers").option("--json").action(runList);
  voucher
    .command("revoke")
    .description("revoke a voucher, so that nobody redeems it any more")
    .requiredOption("--id <id>")
    .option("--json")
    .action(runRevoke);
}

function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

async function runCreate(options: CreateOptions): Promise<void> {
  const { amount, redemptions, expires = null, note } = options;
  const request = { amount, maxRedemptions: redemptions, expiresAt: expires, note };
  const { code, record } = await withHub((hub) => createVoucher(hub, cliOperator(), request));
  const document = { code, ...serializeVoucher(record) };
  printResult(options, document, `${code}\nStore this code now: it is shown only once.`);
}

const MAX_LISTED = 500;

async function runList(options: OutputOptions): Promise<void> {
  const vouchers = await withHub((hub) => listVouchers(hub, { limit: MAX_LISTED }));
  const data = vouchers.data.map(serializeVoucher);
  const lines = data.map(({ id, prefix, amount, redemptions, max_redemptions, expires_at, revoked_at, note }) => {
    const state = revoked_at ? "revoked" : expires_at && `until ${expires_at}`;
    return [id, `${prefix}…`, `${amount} EUR`, `${redemptions} of ${max_redemptions}`, state, note]
      .filter(Boolean)
      .join("  ");
  });
  printResult(options, { data }, lines.join("\n") || "No vouchers.");
}

async function runRevoke(options: OutputOptions & { id: string }): Promise<void> {
  await withHub((hub) => revokeVoucher(hub, cliOperator(), options.id));
  printResult(options, { id: options.id, revoked: true }, `Revoked voucher ${options.id}.`);
}
